/** Yields one of each, then the next of each, until none is left. */
export function* alternately<T>(all: readonly Iterable<T>[]): Generator<T> {
  let open = all.map(one => one[Symbol.iterator]())
  while (open.length > 0) {
    for (const one of open) {
      const next = one.next()
      if (next.done) open = open.filter(other => other !== one)
      else yield next.value
    }
  }
}
