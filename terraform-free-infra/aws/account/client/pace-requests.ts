import { isThrottlingError } from '@smithy/core/retry'
import type { Pluggable, SdkError } from '@smithy/types'
import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import { type CallRate, createCallRate } from './call-rate.ts'

/** Delays requests of an account that AWS has throttled. */
export interface RequestPace {
  /** Returns the middleware for the clients of one step. */
  for(account: string, region: string, signal: AbortSignal): PaceRequests
}

export type PaceRequests = <Input extends object, Output extends object>() => Pluggable<Input, Output>

interface PacedCategory {
  readonly rate: CallRate
  next: Timestamp
  at: Timestamp
}

/** How long an unused rate is retained, in ms. AWS refills its buckets in seconds. */
const retainedMs = 600_000

/**
 * Creates the `RequestPace` of a process. AWS has separate buckets for reads and changes of each service and region
 * ("Request throttling for the Amazon EC2 API", EC2 Developer Guide), so each has its own rate. A rate is unlimited
 * until AWS throttles.
 */
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
    for: (account, region, signal) => () => ({
      applyToStack: stack => {
        stack.add(
          (next, context) => async args => {
            const kind = /^(?:Get|List|Describe|Head)/.test(String(context.commandName)) ? 'read' : 'change'
            const category = categoryOf(`${account} ${region} ${context.clientName} ${kind}`)
            await wait(category, signal)
            const started = clock.now()
            try {
              const result = await next(args)
              category.rate.answered(clock.now())
              return result
            } catch (error) {
              if (isThrottlingError(error as SdkError)) category.rate.throttled(started, clock.now())
              throw error
            }
          },
          // After the retry middleware (priority high), so it delays every attempt; before the check of writes (low).
          { step: 'finalizeRequest', priority: 'normal', name: 'trellisPaceRequests', override: true },
        )
      },
    }),
  }
}
