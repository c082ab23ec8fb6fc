import { createHash } from 'node:crypto'

/** Returns bytes that look random and are the same each time: ids are equal in every replay of an event. */
export const sameBytes = (): ((count: number) => Uint8Array) => {
  let block = 0
  return count => {
    const blocks: Buffer[] = []
    for (let made = 0; made < count; made += 32)
      blocks.push(createHash('sha256').update(`replay ${block++}`).digest())
    return Buffer.concat(blocks).subarray(0, count)
  }
}
