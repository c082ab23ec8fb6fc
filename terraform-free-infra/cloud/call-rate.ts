import type { Timestamp } from '../../shared/clock/clock.ts'

/**
 * The rate of one process for a limit that other processes share. It decreases by multiplication when the cloud
 * throttles and increases by addition with each answered call (docs/decisions/0092-a-rate-that-adapts.md).
 */
export interface CallRate {
  /** Calls per second. Infinity until the cloud throttles, if the limit is unknown. */
  perSecond(): number
  /** Reports a call that the cloud accepted. */
  answered(now: Timestamp): void
  /** Reports a throttled call, with the time of its start. Calls in flight together count once. */
  throttled(started: Timestamp, now: Timestamp): void
}

const decrease = 0.75
/** Calls per second, with each answered call. */
const increase = 0.1
/** The lowest rate. With it, a record never waits for minutes while others are served. */
const leastPerSecond = 0.2

/** The time over which calls are counted while the limit is unknown, in ms. */
const countedMs = 5_000

/** @param most the documented limit in calls per second. Default: unknown */
export const createCallRate = (most = Number.POSITIVE_INFINITY): CallRate => {
  let rate = most
  let decreased = Number.NEGATIVE_INFINITY
  let countedFrom: Timestamp | undefined
  let counted = 0

  /** Returns the answered calls per second of the last seconds. */
  const measured = (now: Timestamp): number =>
    counted / Math.max((now - (countedFrom ?? now)) / 1_000, countedMs / 1_000)

  return {
    perSecond: () => rate,
    answered: now => {
      rate = Math.min(most, rate + increase)
      if (countedFrom === undefined || now - countedFrom > 2 * countedMs) {
        countedFrom = now
        counted = 0
      }
      counted++
    },
    throttled: (started, now) => {
      if (started < decreased) return
      decreased = now
      rate =
        rate === Number.POSITIVE_INFINITY
          ? Math.max(1, measured(now))
          : Math.max(leastPerSecond, rate * decrease)
    },
  }
}
