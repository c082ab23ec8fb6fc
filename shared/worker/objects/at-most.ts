/**
 * Runs the work for each item, with at most this many at once. After a failure no further item is started; running ones
 * finish, then the first failure is thrown.
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

/** Maximum number of concurrent writes of one kind (docs/contract/workers.md#order-of-writes). */
export const writesAtOnce = 50
