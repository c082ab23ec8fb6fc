import type { Timestamp } from '../../../../shared/clock/clock.ts'

/**
 * The rate of one process for a limit of AWS that other processes share. It decreases by multiplication when AWS
 * throttles and increases by addition with each answered call (docs/decisions/0092-a-rate-that-adapts.md).
 */
export interface CallRate {
  /** Calls per second. Infinity until AWS throttles, if the limit is unknown. */
  perSecond(): number
  /** Reports a call that AWS accepted. */
  answered(now: Timestamp): void
  /**
   * Reports a throttled call, with the time of its start and the rate at which calls were sent. Returns false if the call
   * started before the last decrease: calls in flight together count once.
   */
  throttled(started: Timestamp, now: Timestamp, sentPerSecond?: number): boolean
}

/**
 * One throttled call among answered ones is a collision with another process: the call is sent at another time, and the
 * rate does not change. More in a row mean that the rate is too high: the more, the larger the decrease.
 */
const decrease = (throttledInRow: number): number =>
  throttledInRow === 2 ? 0.95 : throttledInRow === 3 ? 0.8 : 0.5

/** Increase with each answered call, in calls per second. It grows after this many answers without throttling. */
const increasePerCall = 0.000_03
const calmCalls = 30

/** The lowest rate: with it, 40 processes together use less than half of Route 53's limit. */
const leastPerSecond = 1 / 20

/** Share of the way back to nine tenths of the rate before the decrease, with each answered call. */
const recovery = 0.1

/** The time over which calls are counted while the limit is unknown, in ms. */
const countedMs = 5_000

/** @param most the documented limit in calls per second. Default: unknown */
export const createCallRate = (most = Number.POSITIVE_INFINITY): CallRate => {
  let rate = most
  let inRow = 0
  let answeredInRow = 0
  let before = 0
  let lastThrottledAt = Number.NEGATIVE_INFINITY
  let countedFrom: Timestamp | undefined
  let counted = 0

  /** Returns the answered calls per second of the last seconds. */
  const measured = (now: Timestamp): number =>
    counted / Math.max((now - (countedFrom ?? now)) / 1_000, countedMs / 1_000)

  return {
    perSecond: () => rate,
    answered: now => {
      inRow = 0
      answeredInRow++
      rate += Math.max(0, 0.9 * before - rate) * recovery
      rate = Math.min(most, rate + increasePerCall * (1 + (answeredInRow / calmCalls) ** 3))
      if (countedFrom === undefined || now - countedFrom > 2 * countedMs) {
        countedFrom = now
        counted = 0
      }
      counted++
    },
    throttled: (started, now, sentPerSecond = rate) => {
      if (started < lastThrottledAt) return false
      lastThrottledAt = now
      answeredInRow = 0
      inRow++
      if (rate === Number.POSITIVE_INFINITY) rate = Math.max(1, measured(now))
      else if (inRow > 1) {
        const sent = Math.min(rate, sentPerSecond)
        if (inRow === 2) before = sent
        rate = Math.max(leastPerSecond, sent * decrease(inRow))
      }
      return true
    },
  }
}
