/**
 * Does some work for each item, at most `parallel` at a time, and yields the results in the order of the items. Begins
 * the next item when the reader takes a result, so that at most `parallel` results are in memory.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const running: Promise<R>[] = []
  for (const item of items) {
    const next = work(item)
    // The reader sees the rejection when it comes to this item, or has stopped.
    next.catch(() => {})
    running.push(next)
    const [first] = running
    if (first === undefined || running.length < parallel) continue
    yield await first
    running.shift()
  }
  for (const rest of running) yield await rest
}
