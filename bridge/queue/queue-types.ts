import type { Clock, Timestamp } from '../../shared/clock/clock.ts'

/** `low`: what was there at start; comes after everything fresh, and at a bounded rate. */
export type Priority = 'fresh' | 'low'

/** What came of the work on a key. Whatever was asked for the key meanwhile comes before it. */
export type WorkResult =
  /** Nothing more to do for it. `answered`: the sink was asked, and is well. */
  | ({ readonly kind: 'finished'; readonly answered: boolean } & LeftOpen)
  /** Work on it again at that time. */
  | ({ readonly kind: 'again'; readonly at: Timestamp; readonly answered: boolean } & LeftOpen)
  /** The sink did not take it: again after a backoff, or after that many ms if that is longer. */
  | { readonly kind: 'failed'; readonly afterMs?: number | undefined }

/** `open`: a request that goes on without a place in the queue; must not reject. Only so many may be. */
interface LeftOpen {
  readonly open?: Promise<void> | undefined
}

export interface QueueOptions {
  readonly clock: Clock
  /** Subqueues share the places fairly; each key belongs to one. */
  readonly subqueues: readonly string[]
  /** Most keys being worked on at the same time. */
  readonly concurrency: number
  /** Most `low` keys started in a second. */
  readonly lowPerSecond: number
  /** Asked before each start; while it says no, everything waits. Call `wake` when it says yes again. */
  readonly mayStart?: () => boolean
  /** A rejection counts as `failed`. */
  readonly work: (key: string, signal: AbortSignal) => Promise<WorkResult>
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

export type ItemState = 'ready' | 'in flight' | 'backing off' | 'timed'

/** How a key stands in the queue. */
export interface QueueItem {
  readonly key: string
  readonly subqueue: string
  readonly state: ItemState
  readonly priority: Priority
  /** Since when it wants to be worked on; for a timed one, since when it waits. */
  readonly since: Timestamp
  /** When its wait is over, for `backing off` and `timed`. */
  readonly at: Timestamp | undefined
  /** Failed tries in a row. */
  readonly failures: number
}

/**
 * Keys that want to be worked on. A key is in it once, and is never worked on twice at the same time; what is asked for
 * it while it is worked on happens afterwards, once. So it never holds more than there are keys.
 */
export interface Queue {
  /**
   * As soon as possible. A key that backs off keeps backing off: the sink is no better for a newer change. `asksAnew`:
   * something else is asked for than what failed, so that the time that the sink named for that counts no more.
   */
  add(key: string, subqueue: string, priority: Priority, asksAnew?: boolean): void
  /** Not before that time; takes back an `add` that has not started. */
  addAt(key: string, subqueue: string, at: Timestamp): void
  /** Not at all. Work in flight goes on, its result is ignored. */
  forget(key: string): void
  /** Starts what may start now. */
  wake(): void
  /** The sink has shown that it takes what this subqueue sends, other than by a result. */
  works(subqueue: string): void
  item(key: string): QueueItem | undefined
  items(): IterableIterator<QueueItem>
  /** Keys that wait for a place or for the sink, and keys in flight. */
  counts(subqueue: string): { readonly waiting: number; readonly inFlight: number; readonly open: number }
  /**
   * Works until the signal aborts; then lets what is in flight end within `drainMs`, aborts what was left open, and
   * resolves. Call it once.
   */
  run(signal: AbortSignal): Promise<void>
}
