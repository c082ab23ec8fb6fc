import { createHash } from 'node:crypto'

/**
 * Bytes for a simulator. After each `restart` it creates the same ids again. These ids differ from all ids created
 * before the first `restart`.
 */
export const repeatedBytes = () => {
  let part = 0
  let calls = 0
  return {
    // A hash is 32 bytes; an id of 17 letters takes 34 of them.
    bytes: (count: number): readonly number[] => {
      const call = `${part} ${calls++}`
      const hashes = Array.from({ length: Math.ceil(count / 32) }, (_, nth) =>
        createHash('sha256').update(`${call} ${nth}`).digest(),
      )
      return [...Buffer.concat(hashes).subarray(0, count)]
    },
    restart: () => {
      part = 1
      calls = 0
    },
  }
}
