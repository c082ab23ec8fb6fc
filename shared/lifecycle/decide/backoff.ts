/** First wait after a failed attempt, in ms. */
export const firstBackoffMs = 1_000

/** Longest wait between two attempts, in ms (docs/contract/lifecycle.md#retries-and-deadlines: 1000 s). */
export const longestBackoffMs = 1_000_000

/**
 * How long to wait after an attempt failed: doubling, capped at 1000 s. It starts at 1 s and not at Gardener's 5 ms
 * (see docs/decisions): each attempt of ours is an event and a wake-up.
 *
 * @param failures failed attempts in a row, 1 after the first one
 */
export const backoffMs = (failures: number): number =>
  Math.min(firstBackoffMs * 2 ** Math.min(Math.max(failures, 1) - 1, 30), longestBackoffMs)
