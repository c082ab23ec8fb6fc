import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import {
  type CallRate,
  createCallRate,
} from '../../../../terraform-free-infra/aws/account/client/call-rate.ts'

export interface RateLimitOptions {
  /** The calls per second that AWS allows to an account. Default: unknown, so unlimited until AWS throttles. */
  readonly mostPerSecond?: number | undefined
  /** Evenly distributed, from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number
}

export interface ReservationRequest {
  /** The account or identity to which AWS counts the calls. */
  readonly account: string
  /** The purpose of the call. Its place in the queue is retained until it returns. */
  readonly key: string
  /** True if it has waited for its turn before, possibly in another process. It is served before those with a later time. */
  readonly waited?: boolean
  /** Calls of the same key from this one on, for the times of those behind it. Default: 1. */
  readonly calls?: number
  /** Maximum wait inside `acquire`, in ms. For a longer wait, the error says when to return. */
  readonly patienceMs: number
}

/** There is no turn yet. The key retains a place in the queue. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError'
  /** Time until the turn, in ms. */
  readonly afterMs: number
  /** Number of calls that are served first. */
  readonly ahead: number
  /** Calls per second of this process. */
  readonly perSecond: number

  /** True if AWS throttled the account since the last accepted call. */
  readonly isThrottled: boolean

  constructor(fields: Pick<NotYetError, 'afterMs' | 'ahead' | 'perSecond' | 'isThrottled'>) {
    super(`${fields.ahead} calls to the same account are queued first`)
    this.afterMs = fields.afterMs
    this.ahead = fields.ahead
    this.perSecond = fields.perSecond
    this.isThrottled = fields.isThrottled
  }
}

/** Permission for one call. Report its result with exactly one of the two. */
export interface Reservation {
  answered(): void
  throttled(): void
}

export interface RateLimiter {
  /**
   * Registers a record with the number of calls that it needs, until the returned function is called. The rate at the
   * start depends on the records of the process: many records here mean that other processes have many as well.
   */
  register(account: string, record: string, calls: number): { readonly end: (waitsUntil?: Timestamp) => void }
  /**
   * Resolves when one call may be made. Throws `NotYetError` at once if the wait would exceed `patienceMs`. The key then
   * has a place in the queue with a time. It gets its turn if it returns at about that time; before, it gets the same
   * time again. Rejects with the signal's reason when the signal aborts.
   */
  acquire(request: ReservationRequest, signal: AbortSignal): Promise<Reservation>
  /** Returns true if calls to the account must be paced, so waiting for others to join a call costs nothing. */
  isPaced(account: string): boolean
}

/** The records of one account in this process, and its next call. */
interface AccountQueue {
  at: Timestamp
  readonly rate: CallRate
  /** Records with their open calls. `until`: a record that is away is expected back before this time. */
  readonly records: Map<string, { readonly calls: number; readonly until?: Timestamp }>
  /** Calls that must return, by key. */
  readonly places: Map<string, { readonly due: Timestamp; readonly calls: number }>
  /** True if the last call was throttled. */
  isThrottled: boolean
  /** Calls that wait inside `acquire`. */
  waiting: number
  /** The time of the next call. In the past: that much of the burst is left. */
  next: Timestamp
  /** The planned end of a mass of records. */
  end: Timestamp | undefined
  /** The planned time between two calls, in ms. */
  planned: number
}

/** How long an unused queue is retained, in ms. */
const retainedMs = 3_600_000

/**
 * How long a place is retained after its time, in ms: an event may be delivered again to a process that has to start.
 * After that the others move up.
 */
const lateMs = 60_000

/** Records return up to this time before their turn, in ms, and at different times. */
const jitterMs = 1_000

/** A shoot has three records. Up to this number is sent at once, as by the Go extension: a burst, then 1 per second. */
const fewRecords = 3
const fewPerSecond = 1
const fewBurst = 6

/**
 * The time over which the calls of a mass of records are spread, in ms. With it, any number of processes with 200
 * records together use 92 % of Route 53's five calls per second. Each process's share follows from its own records, so
 * processes need not know of each other (docs/decisions/0092-a-rate-that-adapts.md).
 */
const spreadMs = 87_000

/** A process that is behind its plan shortens the time between its calls at most to this share. */
const fastest = 0.9

/** Rate limits with a queue per account, for one process. */
export const createRateLimiter = (
  { mostPerSecond, random = Math.random }: RateLimitOptions,
  clock: Clock,
): RateLimiter => {
  const queues = new Map<string, AccountQueue>()

  const queueOf = (account: string): AccountQueue => {
    const now = clock.now()
    for (const [other, { at }] of queues) if (now - at > retainedMs) queues.delete(other)
    const queue = queues.get(account) ?? {
      at: now,
      rate: createCallRate(mostPerSecond),
      records: new Map(),
      places: new Map(),
      isThrottled: false,
      waiting: 0,
      next: Number.NEGATIVE_INFINITY,
      end: undefined,
      planned: 0,
    }
    queue.at = now
    for (const [key, { due }] of queue.places) if (now - due > lateMs) queue.places.delete(key)
    for (const [key, { until }] of queue.records)
      if (until !== undefined && now - until > lateMs) queue.records.delete(key)
    if (queue.records.size === 0) queue.end = undefined
    queues.set(account, queue)
    return queue
  }

  const openCalls = ({ records }: AccountQueue): number => {
    let sum = 0
    for (const { calls } of records.values()) sum += calls
    return sum
  }

  const isKnown = ({ rate }: AccountQueue): boolean => Number.isFinite(rate.perSecond())

  /** Plans a mass of records: the first call at a random time, the last one after `spreadMs`. */
  const plan = (queue: AccountQueue): void => {
    if (queue.end !== undefined || queue.records.size <= fewRecords || !isKnown(queue)) return
    queue.planned = spreadMs / Math.max(openCalls(queue), 1)
    queue.next = Math.max(queue.next, clock.now()) + random() * queue.planned
    queue.end = queue.next + spreadMs
  }

  /** Returns the time between two calls, in ms. */
  const intervalOf = (queue: AccountQueue): number => {
    const perSecond = queue.rate.perSecond()
    if (perSecond === Number.POSITIVE_INFINITY) return 0
    const shortest = 1_000 / perSecond
    if (queue.end === undefined) return Math.max(shortest, 1_000 / fewPerSecond)
    const left = queue.end - Math.max(queue.next, clock.now())
    return Math.max(shortest, fastest * queue.planned, left / Math.max(openCalls(queue), 1))
  }

  const callsBefore = ({ places }: AccountQueue, due = Number.POSITIVE_INFINITY): number => {
    let calls = 0
    for (const place of places.values()) if (place.due < due) calls += place.calls
    return calls
  }

  /** Unused time is a burst for few records only. */
  const earliest = (queue: AccountQueue, interval: number): Timestamp => {
    const burst =
      queue.end === undefined && queue.rate.perSecond() >= fewPerSecond ? (fewBurst - 1) * interval : 0
    return Math.max(queue.next, clock.now() - burst)
  }

  const reservationOf = (queue: AccountQueue): Reservation => {
    const started = clock.now()
    return {
      answered: () => {
        queue.isThrottled = false
        queue.rate.answered(clock.now())
      },
      throttled: () => {
        const now = clock.now()
        const interval = intervalOf(queue)
        queue.isThrottled = true
        const perSecond = interval === 0 ? undefined : 1_000 / interval
        if (!queue.rate.throttled(started, now, perSecond)) return
        plan(queue)
        // Another time between the calls of other processes, now and for the remaining calls.
        const shift = 0.1 + 0.8 * random()
        const again = now + shift * intervalOf(queue)
        if (queue.end !== undefined) queue.end -= (1 - shift) * intervalOf(queue)
        queue.next = queue.waiting === 0 ? again : Math.max(queue.next, again)
      },
    }
  }

  return {
    register: (account, record, calls) => {
      const queue = queueOf(account)
      const before = queue.records.get(record)
      queue.records.set(record, { calls })
      const added = calls - (before?.calls ?? 0)
      if (queue.end !== undefined && added > 0) {
        const open = openCalls(queue)
        queue.end = Math.max(queue.end, clock.now() + (spreadMs * added) / open)
        queue.planned = Math.min(queue.planned, (queue.end - clock.now()) / open)
      }
      return {
        end: until => {
          if (until === undefined) queue.records.delete(record)
          else queue.records.set(record, { calls, until })
        },
      }
    },

    acquire: async ({ account, key, waited = false, calls = 1, patienceMs }, signal) => {
      signal.throwIfAborted()
      const queue = queueOf(account)
      plan(queue)
      const now = clock.now()
      const place = queue.places.get(key)
      queue.places.delete(key)
      const due = place?.due ?? (waited ? now : undefined)
      // A call whose time has come gets the next turn.
      const ahead = due !== undefined && due <= now ? 0 : callsBefore(queue, due)
      const interval = intervalOf(queue)
      const next = earliest(queue, interval)
      const waitMs = Math.ceil(Math.max(next + ahead * interval - now, 0))
      if (waitMs > patienceMs) {
        // Its time does not change, unless its place was released to others.
        const again = Math.max(due ?? 0, now + waitMs)
        queue.places.set(key, { due: again, calls })
        const early = Math.min(random() * jitterMs, again - now - 1)
        throw new NotYetError({
          afterMs: Math.ceil(again - now - early),
          ahead,
          perSecond: 1_000 / interval,
          isThrottled: queue.isThrottled,
        })
      }
      queue.next = next + interval
      if (waitMs > 0) {
        queue.waiting++
        try {
          await clock.sleep(waitMs, signal)
        } catch (reason) {
          queue.next -= interval
          throw reason
        } finally {
          queue.waiting--
        }
      }
      return reservationOf(queue)
    },

    isPaced: account => isKnown(queueOf(account)),
  }
}
