import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'

export interface RateLimitOptions {
  /** Calls per second. */
  readonly qps: number
  /** Number of calls at once after a pause. */
  readonly burst: number
  /** Maximum wait inside `acquire`, in ms. For a longer wait, the error says when to return. */
  readonly waitTimeoutMs: number
  /** Evenly distributed, from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number
}

export interface ReservationRequest {
  /** The identity to which AWS counts the calls: an access key id or the ARN of a role. */
  readonly identity: string
  /** The purpose of the calls. Its place in the queue is retained until it returns. */
  readonly key: string
  readonly calls: number
  /** Number of calls if it must return later. Default: the same. */
  readonly callsLater?: number
  /**
   * True if it has already waited for its turn, possibly in another process, or is in the middle of its work. It is
   * then served before those with a later time.
   */
  readonly waited?: boolean
}

/** Permission for a number of calls. */
export interface Reservation {
  /** Returns `calls` of them unused. */
  release(calls: number): void
}

/** There is no turn yet. The key retains a place in the queue. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError'
  /** Time until the turn, in ms. */
  readonly afterMs: number
  /** Number of calls by others that are served first. */
  readonly ahead: number

  constructor(afterMs: number, ahead: number) {
    super(`${ahead} calls with the same credentials are queued first`)
    this.afterMs = afterMs
    this.ahead = ahead
  }
}

export interface RateLimiter {
  /**
   * Resolves when the calls may be made. Throws `NotYetError` at once if the wait would exceed the maximum. The key
   * then has a place in the queue with a time. It gets its turn if it returns at about that time; before, it gets the
   * same time again. Rejects with the signal's reason when the signal aborts.
   *
   * Request a read and the write that may follow together. If they were requested one by one, many concurrent records
   * would spend every turn on reads, and none would reach its write.
   */
  acquire(request: ReservationRequest, signal: AbortSignal): Promise<Reservation>
  /** Queues calls that AWS throttled: in `leastMs`, or after others that were throttled. Returns the delay in ms. */
  postpone(request: ReservationRequest, leastMs: number): number
}

interface PlaceInLine {
  readonly due: Timestamp
  readonly calls: number
  /** True if AWS refused its calls. */
  readonly held: boolean
}

interface WaitingLine {
  /** Number of calls available now. Negative: promised to calls that wait inside `acquire`. */
  tokens: number
  at: Timestamp
  /** The places of calls that must return, by key. */
  readonly places: Map<string, PlaceInLine>
}

/**
 * How long an unused queue is retained, in ms (docs/contract/provider-aws.md#dnsrecord). It is full again long before.
 */
const keptMs = 3_600_000

/**
 * How long a place is retained after its time, in ms: an event may be delivered again to a process that has to start.
 * After that the others move up.
 */
const lateMs = 60_000

/** Maximum random delay after the given time, in ms, so that not all return at once. */
const jitterMs = 1_000

/**
 * A token bucket per identity with a queue, for one process. Only the bucket decides when a call may be made, so the
 * rate is never exceeded. The queue only decides when each waiting call returns, at intervals that match the number of
 * calls.
 */
export const createRateLimiter = (options: RateLimitOptions, clock: Clock): RateLimiter => {
  const { qps, burst, waitTimeoutMs, random = Math.random } = options
  const queues = new Map<string, WaitingLine>()

  const queueOf = (identity: string): WaitingLine => {
    const now = clock.now()
    for (const [other, queue] of queues)
      if (now - queue.at > keptMs && queue.places.size === 0) queues.delete(other)
    const queue = queues.get(identity) ?? { tokens: burst, at: now, places: new Map() }
    queue.tokens = Math.min(burst, queue.tokens + (Math.max(now - queue.at, 0) / 1000) * qps)
    queue.at = now
    for (const [key, place] of queue.places) if (now - place.due > lateMs) queue.places.delete(key)
    queues.set(identity, queue)
    return queue
  }

  /** Returns the number of calls in places before a time, or in all places if none is given. */
  const callsBefore = ({ places }: WaitingLine, due = Number.POSITIVE_INFINITY): number => {
    let calls = 0
    for (const place of places.values()) if (place.due < due) calls += place.calls
    return calls
  }

  /** Returns the time in ms until this many calls are available. */
  const untilThere = (queue: WaitingLine, calls: number): number =>
    Math.ceil((Math.max(calls - queue.tokens, 0) / qps) * 1000)

  const jitter = (): number => Math.round(random() * jitterMs)

  return {
    acquire: async ({ identity, key, calls: asked, callsLater = asked, waited = false }, signal) => {
      signal.throwIfAborted()
      const queue = queueOf(identity)
      const now = clock.now()
      const place = queue.places.get(key)
      queue.places.delete(key)
      const due = place?.due ?? (waited ? now : undefined)
      const calls = Math.max(asked, place?.calls ?? 0)
      // A call whose time has come takes the available tokens. Calls that should have come earlier get the next tokens.
      const isNext = due !== undefined && due <= now
      const ahead = isNext ? 0 : callsBefore(queue, due)
      const waitMs = untilThere(queue, ahead + calls)
      if (waitMs > waitTimeoutMs) {
        // Its time does not change, unless its place was released to others.
        const later = Math.max(calls, callsLater)
        const again = Math.max(due ?? 0, now + untilThere(queue, callsBefore(queue, due) + later))
        queue.places.set(key, { due: again, calls: later, held: false })
        throw new NotYetError(again - now + jitter(), ahead)
      }
      queue.tokens -= calls
      const release = (unused: number) => {
        queue.tokens = Math.min(burst, queue.tokens + unused)
      }
      if (waitMs > 0) {
        try {
          await clock.sleep(waitMs, signal)
        } catch (reason) {
          release(calls)
          throw reason
        }
      }
      return { release }
    },

    postpone: ({ identity, key, calls }, leastMs) => {
      const queue = queueOf(identity)
      const now = clock.now()
      // AWS also counts calls of other processes, so the tokens saved here are worthless.
      queue.tokens = Math.min(queue.tokens, 0)
      queue.places.delete(key)
      const apartMs = (calls / qps) * 1000
      const last = [...queue.places.values()].reduce(
        (latest, { held, due }) => (held ? Math.max(latest, due) : latest),
        Number.NEGATIVE_INFINITY,
      )
      const due = Math.ceil(Math.max(now + leastMs, last + apartMs))
      queue.places.set(key, { due, calls, held: true })
      return due - now + (due > now + leastMs ? jitter() : 0)
    },
  }
}
