/** Determines random choices: the same seed makes the same choices for the same calls in the same order. */
export type Seed = string | number

/** Returns a number from 0 up to, but not including, 1 that the parts determine. FNV-1a with a final mix. */
export const seeded = (...parts: readonly (string | number)[]): number => {
  const text = parts.join('/')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
