/**
 * Does the work for each item, so many of them at once. After a failure nothing more is begun; what is under way ends, and the
 * first failure is thrown.
 */
export const atMost = async <T>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  const queue = items.values()
  let failure: { readonly error: unknown } | undefined
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      try {
        await work(item)
      } catch (error) {
        failure ??= { error }
      }
      if (failure !== undefined) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  if (failure !== undefined) throw failure.error
}

/** How many writes of one kind are under way at once (docs/contract/workers.md#order-of-writes). */
export const writesAtOnce = 50
