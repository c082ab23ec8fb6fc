import type { Clock, Timestamp } from '../../shared/clock/clock.ts'
import { type CallRate, createCallRate } from './call-rate.ts'

/** Delays the requests of an account that its cloud has throttled. */
export interface RequestPace {
  /**
   * Sends one request when the rate of its category allows it. `category` names the account and everything that the
   * cloud counts separately. Rejects with the request's error, or with the signal's reason.
   */
  paced<T>(request: {
    readonly category: string
    readonly signal: AbortSignal
    readonly send: () => Promise<T>
    /** Returns true for the error of a throttled request. */
    readonly isThrottled: (error: unknown) => boolean
  }): Promise<T>
}

interface PacedCategory {
  readonly rate: CallRate
  next: Timestamp
  at: Timestamp
}

/** How long an unused rate is retained, in ms. Clouds refill their buckets in seconds. */
const retainedMs = 600_000

/** Creates the `RequestPace` of a process. A rate is unlimited until the cloud throttles. */
export const createRequestPace = (clock: Clock, random: () => number = Math.random): RequestPace => {
  const categories = new Map<string, PacedCategory>()

  const categoryOf = (key: string): PacedCategory => {
    const now = clock.now()
    for (const [other, { at }] of categories) if (now - at > retainedMs) categories.delete(other)
    const category = categories.get(key) ?? { rate: createCallRate(), next: now, at: now }
    category.at = now
    categories.set(key, category)
    return category
  }

  /**
   * Waits for the time of the next request. A waiting request reserves no time, so one that is aborted delays no other,
   * and all of them benefit when the rate recovers.
   */
  const wait = async (category: PacedCategory, signal: AbortSignal): Promise<void> => {
    while (clock.now() < category.next) await clock.sleep(Math.ceil(category.next - clock.now()), signal)
    // Random, so that processes do not send at the same times.
    category.next = clock.now() + (1_000 / category.rate.perSecond()) * (0.75 + random() / 2)
  }

  return {
    paced: async ({ category: key, signal, send, isThrottled }) => {
      const category = categoryOf(key)
      await wait(category, signal)
      const started = clock.now()
      try {
        const result = await send()
        category.rate.answered(clock.now())
        return result
      } catch (error) {
        if (isThrottled(error)) category.rate.throttled(started, clock.now())
        throw error
      }
    },
  }
}
