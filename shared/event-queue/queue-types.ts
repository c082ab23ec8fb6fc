import type { Clock, Timestamp } from '../clock/clock.ts'

/** `low`: existed at the start; comes after all fresh keys, at a bounded rate. */
export type Priority = 'fresh' | 'low'

/** The result of the work on a key. A request for the key in the meantime overrides it. */
export type WorkResult =
  /** There is no more work. `answered`: the sink was asked, and is healthy. */
  | ({ readonly kind: 'finished'; readonly answered: boolean } & LeftOpen)
  /** Work on the key again at that time. */
  | ({ readonly kind: 'again'; readonly at: Timestamp; readonly answered: boolean } & LeftOpen)
  /** The sink did not accept it: retry after a backoff, or after that many ms if that is longer. */
  | { readonly kind: 'failed'; readonly afterMs?: number | undefined }

/** `open`: a request that continues without a slot in the queue; must not reject. Their number is limited. */
interface LeftOpen {
  readonly open?: Promise<void> | undefined
}

export interface QueueOptions {
  readonly clock: Clock
  /** Subqueues share the slots fairly; each key belongs to one. */
  readonly subqueues: readonly string[]
  /** The largest number of keys in progress. */
  readonly concurrency: number
  /** The largest number of `low` keys that start in a second. */
  readonly lowPerSecond: number
  /** Called before each start; while it returns false, all keys wait. Call `wake` when it returns true again. */
  readonly mayStart?: () => boolean
  /** A rejection counts as `failed`. */
  readonly work: (key: string, signal: AbortSignal) => Promise<WorkResult>
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

export type ItemState = 'ready' | 'in flight' | 'backing off' | 'timed'

/** A key in the queue. */
export interface QueueItem {
  readonly state: ItemState
  /** The end of its wait, for `backing off` and `timed`. */
  readonly at: Timestamp | undefined
  /** Consecutive failed attempts. */
  readonly failures: number
}

/**
 * The keys that need work. A key is queued once, and never processed twice at the same time. Requests during its work
 * are processed once, afterwards. The queue is therefore never larger than the number of keys.
 */
export interface Queue {
  /**
   * Processes the key as soon as possible. A key in backoff stays in backoff: a newer change does not improve the sink.
   * `isRequestedAgain`: the request differs from the failed one, so the Retry-After for that no longer applies.
   */
  add(key: string, subqueue: string, priority: Priority, isRequestedAgain?: boolean): void
  /** Processes the key no earlier than that time; withdraws an `add` that has not started. */
  addAt(key: string, subqueue: string, at: Timestamp): void
  /** Removes the key. Work in flight continues, and its result is ignored. */
  forget(key: string): void
  /** Starts the keys that may start now. */
  wake(): void
  /** Reports that the sink accepts this subqueue's events, other than by a result. */
  works(subqueue: string): void
  item(key: string): QueueItem | undefined
  /** The number of keys, in any state. */
  readonly size: number
  /** Returns the number of keys that wait for a slot or for the sink, of keys in flight, and of open requests. */
  counts(subqueue: string): { readonly waiting: number; readonly inFlight: number; readonly open: number }
  /**
   * Works until the signal aborts. Then lets work in flight end within `drainMs`, aborts open requests, and resolves.
   * Call it once.
   */
  run(signal: AbortSignal): Promise<void>
}
