/** A source of numbers that a seed determines. Calling it returns 0 ≤ x < 1. */
export interface Random {
  (): number
  /** Returns an integer from 0 up to, but not including, `below`. */
  int(below: number): number
  /** Returns an integer from `least` up to and including `most`. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  /** Throws a RangeError for an empty list. */
  pick<T>(list: readonly T[]): T
  bytes(count: number): Uint8Array<ArrayBuffer>
  /** A UUID of version 4. */
  uuid(): string
  /** Returns an independent source. The same name gives the same source, whatever was drawn before. */
  fork(name: string): Random
}

/**
 * @example
 * const random = createRandom('7')
 * const latencies = random.fork('latencies')
 */
export const createRandom = (seed: string): Random => {
  let state = hashOf(seed)
  // mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c (public domain)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => int(256))
  return Object.assign(next, {
    int,
    bytes,
    between: (least: number, most: number) => least + int(most - least + 1),
    chance: (probability: number) => next() < probability,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new RangeError('cannot pick from an empty list')
      return list[int(list.length)] as T
    },
    uuid: () => {
      const hex = Buffer.from(bytes(16)).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
    },
    fork: (name: string) => createRandom(`${seed}/${name}`),
  })
}

/** FNV-1a with a final mix, so that similar seeds give unrelated numbers. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return hash ^ (hash >>> 16)
}
