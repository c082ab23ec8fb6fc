import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import { createCallRate } from '../../../../terraform-free-infra/cloud/call-rate.ts'

/** The turn of a call is too far away. The message is the reason for the status. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError'
  /** Time until the caller should return, in ms. */
  readonly afterMs: number

  constructor(afterMs: number, waitMs: number, ahead: number, perSecond: number, isThrottled: boolean) {
    const rate = `this process makes ${Number(perSecond.toPrecision(2))} calls per second`
    const why = `${ahead} other calls are first, and ${rate}${isThrottled ? ', because AWS throttles the account' : ''}`
    super(`Waiting about ${Math.ceil(waitMs / 1_000)} s for its turn at Route 53: ${why}`)
    this.afterMs = afterMs
  }
}

export interface CallRequest {
  /** The account or identity to which AWS counts the calls. */
  readonly account: string
  /** The purpose of the call. If it returns with the same key, it retains its place in the queue. */
  readonly key: string
  /** The number of calls to count: those that follow without a request, too. */
  readonly calls: number
}

export interface RateLimiter {
  /** Resolves when a call may be made. Throws `NotYetError` at once if that is later than `until`. */
  acquire(request: CallRequest, until: Timestamp, signal: AbortSignal): Promise<void>
  /** Reports the result of a call. A throttled one has to wait again, and is served first. */
  report(request: CallRequest, started: Timestamp, isThrottled: boolean): void
}

/** How long an unused queue is retained, in ms. AWS refills its buckets in seconds. */
const retainedMs = 600_000
/** How long a place is retained after its call should be back, in ms: the process may have to start. */
const overdueMs = 60_000
/** Calls return up to this time before their turn, in ms, so that those that can be one are there. */
const earlyMs = 1_000
/** The longest time until a call returns while the rate is reduced, in ms. */
const mostAwayMs = 10_000
/** Calls start up to this time after their turn, in ms. Otherwise a process at a regular pace could exclude others. */
const mostLateMs = 100

/**
 * Rate limits with a queue per account, for one process. An account starts with the given rate and the calls of one
 * second at once. Then the rate follows the answers of AWS (docs/decisions/0092-a-rate-that-adapts.md).
 *
 * @param mostPerSecond the calls that AWS allows to an account. Default: unknown, so unlimited until AWS throttles
 */
export const createRateLimiter = (
  mostPerSecond: number | undefined,
  clock: Clock,
  random: () => number = Math.random,
): RateLimiter => {
  const queues = new Map<string, ReturnType<typeof newQueue>>()

  const newQueue = () => ({
    rate: createCallRate(mostPerSecond),
    /** The calls that the rate has permitted until `at`, and those that were requested. Only the difference counts. */
    permitted: mostPerSecond ?? 0,
    requested: 0,
    at: clock.now(),
    /** Calls that come back later, at `back`. A call is permitted when `permitted` reaches its ticket. */
    places: new Map<string, { readonly ticket: number; readonly back: Timestamp }>(),
    isThrottled: false,
  })

  /** Returns the queue at this time. Permitted calls of more than a second are lost. */
  const queueOf = (account: string) => {
    const now = clock.now()
    for (const [other, { at, places }] of queues) {
      for (const [key, { back }] of places) if (now - back > overdueMs) places.delete(key)
      if (now - at > retainedMs && places.size === 0) queues.delete(other)
    }
    const queue = queues.get(account) ?? newQueue()
    queues.set(account, queue)
    const perSecond = queue.rate.perSecond()
    const most = queue.requested + Math.max(1, perSecond)
    queue.permitted = Number.isFinite(perSecond)
      ? Math.min(queue.permitted + ((now - queue.at) / 1_000) * perSecond, most)
      : queue.requested
    queue.at = now
    return queue
  }

  return {
    acquire: async ({ account, key, calls }, until, signal) => {
      const first = queueOf(account)
      const place = first.places.get(key)
      if (place === undefined) first.requested += calls
      const ticket = place?.ticket ?? first.requested
      first.places.delete(key)
      for (;;) {
        const { permitted, rate, isThrottled, places } = queueOf(account)
        const perSecond = rate.perSecond()
        // Sums of fractions are not exact.
        const waitMs = Math.ceil(((ticket - permitted) / perSecond) * 1_000 - 1e-3)
        if (waitMs <= 0) return
        if (clock.now() + waitMs + mostLateMs > until) {
          const isReduced = perSecond < (mostPerSecond ?? Number.POSITIVE_INFINITY)
          // If the rate recovers, the call is permitted earlier.
          const afterMs = isReduced ? Math.min(waitMs / 2, mostAwayMs) : waitMs - random() * earlyMs
          places.set(key, { ticket, back: clock.now() + afterMs })
          const ahead = Math.max(0, Math.round(ticket - permitted) - calls)
          throw new NotYetError(Math.ceil(afterMs), waitMs, ahead, perSecond, isThrottled)
        }
        await clock.sleep(waitMs + random() * mostLateMs, signal).catch(reason => {
          first.permitted += calls
          throw reason
        })
      }
    },

    report: ({ account, key }, started, isThrottled) => {
      const queue = queueOf(account)
      queue.isThrottled = isThrottled
      if (!isThrottled) return queue.rate.answered(clock.now())
      queue.rate.throttled(started, clock.now())
      const ticket = Math.min(queue.permitted, queue.requested)
      queue.places.set(key, { ticket, back: clock.now() })
      // Random, so that processes do not repeat their calls at the same times.
      queue.permitted = ticket - (0.5 + random())
    },
  }
}
