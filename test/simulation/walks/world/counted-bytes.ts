import { createHash } from 'node:crypto'

/** Returns bytes that depend only on the name and the number of calls, so that equal worlds have equal ids. */
export const countedBytes = (name: string): ((length: number) => Uint8Array) => {
  let count = 0
  return length => {
    const parts = Array.from({ length: Math.ceil(length / 32) }, () =>
      createHash('sha256').update(`${name} ${count++}`).digest(),
    )
    return Buffer.concat(parts).subarray(0, length)
  }
}
