/** Milliseconds since the Unix epoch. */
export type Timestamp = number

/**
 * Time as a port. Code that reads the time or waits takes a clock, so that tests and the sandbox can advance time
 * (`VirtualClock`).
 */
export interface Clock {
  /** The current time in milliseconds since the Unix epoch. */
  now(): Timestamp
  /**
   * Resolves after `milliseconds`. Rejects with the signal's reason as soon as it aborts, also if it is already
   * aborted. Leaves no timer behind.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls `callback` once after `milliseconds`. The returned function cancels it and may be called repeatedly. */
  after(milliseconds: number, callback: () => void): () => void
}

/** Longest delay of Node's timers in ms (2^31 - 1), 24.8 days. A longer one would fire at once, so it takes several. */
const longestTimer = 2_147_483_647

const after: Clock['after'] = (milliseconds, callback) => {
  let rest = milliseconds
  let timer: NodeJS.Timeout
  const start = (): void => {
    const next = Math.min(Math.max(rest, 0), longestTimer)
    rest -= next
    timer = setTimeout(() => (rest > 0 ? start() : callback()), next)
  }
  start()
  return () => clearTimeout(timer)
}

/** Creates a clock's `sleep` from its `after`. */
export const sleepBy =
  (after: Clock['after']): Clock['sleep'] =>
  (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = after(milliseconds, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      signal?.addEventListener('abort', abort, { once: true })
    })

/** The real time of this process. */
export const systemClock: Clock = { now: () => Date.now(), sleep: sleepBy(after), after }
