/** First in, first out, each key once; any key can be deleted in constant time. */
export interface Fifo {
  /** Adds a key at the end; an existing key retains its place. */
  push(key: string): void
  /** Removes and returns the oldest key. */
  shift(): string | undefined
  delete(key: string): boolean
  readonly size: number
}

export const createFifo = (): Fifo => {
  const keys = new Set<string>()
  // One iterator continues through all additions and removals: a new one would walk over every removed slot.
  let oldest = keys.values()
  return {
    push: key => {
      keys.add(key)
    },
    shift: () => {
      let next = oldest.next()
      if (next.done && keys.size > 0) {
        oldest = keys.values()
        next = oldest.next()
      }
      if (next.done) return undefined
      keys.delete(next.value)
      return next.value
    },
    delete: key => keys.delete(key),
    get size() {
      return keys.size
    },
  }
}
