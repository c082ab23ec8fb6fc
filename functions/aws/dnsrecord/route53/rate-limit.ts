import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'

export interface RateLimitOptions {
  /** Calls per second. */
  readonly qps: number
  /** Calls at once after a rest. */
  readonly burst: number
  /** Longest wait inside `acquire`, in ms. Who would wait longer is told when to come back. */
  readonly waitTimeoutMs: number
  /** 0 to 1, evenly; absent: `Math.random`. */
  readonly random?: () => number
}

export interface ReservationRequest {
  /** Whom AWS counts the calls for: an access key id or the ARN of a role. */
  readonly identity: string
  /** What the calls are for: its place in the queue is kept until it comes back. */
  readonly key: string
  readonly calls: number
  /** Calls that it will make if it has to come back; absent: as many. */
  readonly callsLater?: number
  /**
   * It has waited for its turn already, perhaps in the queue of another process, or is in the middle of its work: who
   * waits for a later time does not go before it.
   */
  readonly waited?: boolean
}

/** Calls that may be made. */
export interface Reservation {
  /** Gives back `calls` of them that were not needed. */
  release(calls: number): void
}

/** There is no turn yet; a place in the queue is kept for the key. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError'
  /** Until the turn, in ms. */
  readonly afterMs: number
  /** Calls of others that come before. */
  readonly ahead: number

  constructor(afterMs: number, ahead: number) {
    super(`${ahead} calls of the same credentials come first`)
    this.afterMs = afterMs
    this.ahead = ahead
  }
}

export interface RateLimiter {
  /**
   * Resolves when the calls may be made. Throws `NotYetError` at once when that would be later than the longest wait:
   * the key then has a place in the queue, with a time of its own, and gets its turn when it comes back about then;
   * before, it is told the same time again. Rejects with the signal's reason when it aborts.
   *
   * A read and the write that may follow are asked for together: were they asked for one by one, many records at once
   * would spend every turn on reads, and none would ever get to its write.
   */
  acquire(request: ReservationRequest, signal: AbortSignal): Promise<Reservation>
  /**
   * For calls that AWS has held back: a place in `leastMs`, or behind the others that were held back. How long until
   * then, in ms.
   */
  postpone(request: ReservationRequest, leastMs: number): number
}

interface PlaceInLine {
  readonly due: Timestamp
  readonly calls: number
  /** AWS refused its calls. */
  readonly held: boolean
}

interface WaitingLine {
  /** Calls that may be made now; below zero: promised to those who wait inside `acquire`. */
  tokens: number
  at: Timestamp
  /** Of those who were told to come back, by key. */
  readonly places: Map<string, PlaceInLine>
}

/**
 * How long an unused queue is kept, in ms (docs/contract/provider-aws.md#dnsrecord). It is full again long before.
 */
const keptMs = 3_600_000

/**
 * How long a place is kept for one who does not come back at its time, in ms: an event may be delivered again and find
 * a process that has to start. After that the others move up.
 */
const lateMs = 60_000

/** Latest that one comes after its time so that not all come at once, in ms. */
const jitterMs = 1_000

/**
 * A token bucket per identity, with a queue, for one process. The bucket alone decides when a call may be made, so
 * that no more are made than the rate allows; the queue only decides when each of those who wait looks again, at times
 * that are as far apart as their calls.
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

  /** Calls of the places before a time; of all of them when there is none. */
  const callsBefore = ({ places }: WaitingLine, due = Number.POSITIVE_INFINITY): number => {
    let calls = 0
    for (const place of places.values()) if (place.due < due) calls += place.calls
    return calls
  }

  /** How long until so many calls are there, in ms. */
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
      // Whose time has come takes what is there; the late ones of before find what comes next.
      const isNext = due !== undefined && due <= now
      const ahead = isNext ? 0 : callsBefore(queue, due)
      const waitMs = untilThere(queue, ahead + calls)
      if (waitMs > waitTimeoutMs) {
        // Its own time stands, unless what was kept for it has gone to others.
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
      // AWS counts for others too: what this process has saved up is worth nothing.
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
