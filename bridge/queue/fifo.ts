/** First in, first out, each key once; any key can be taken out of the middle in constant time. */
export interface Fifo {
  /** Adds at the end; a key that is in already keeps its place. */
  push(key: string): void
  /** Takes the oldest. */
  shift(): string | undefined
  delete(key: string): boolean
  readonly size: number
}

export const createFifo = (): Fifo => {
  const keys = new Set<string>()
  // One iterator goes on through all additions and removals: starting anew would walk over every removed slot.
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
