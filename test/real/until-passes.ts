import { setTimeout as sleep } from 'node:timers/promises'

export interface Patience {
  /** Default: three minutes. */
  readonly timeoutMs?: number
  /** Default: 250. */
  readonly intervalMs?: number
}

/**
 * Repeats a check until it does not throw, and returns its result. Benchmarks use it too: `vi.waitFor` needs Vitest.
 */
export const untilPasses = async <T>(
  check: () => Promise<T> | T,
  { timeoutMs = 180_000, intervalMs = 250 }: Patience = {},
): Promise<T> => {
  const limit = performance.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > limit) throw error
    }
    await sleep(intervalMs)
  }
}
