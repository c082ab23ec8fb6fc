/** Milliseconds since the Unix epoch. */
export type Timestamp = number

/**
 * Time as a port: everything that reads the time or waits takes one, so that tests and the sandbox can
 * move time by hand (`VirtualClock`).
 */
export interface Clock {
  /** The present, in milliseconds since the Unix epoch. */
  now(): Timestamp
  /**
   * Resolves after `milliseconds`; rejects with the signal's reason as soon as it aborts (also when it is
   * aborted already). Leaves no timer behind in either case.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls `callback` once after `milliseconds`; the returned function cancels it and may be called often. */
  after(milliseconds: number, callback: () => void): () => void
}

/** Longest delay that Node's timers take, in ms (2^31 - 1); a longer one would fire at once. */
const longestTimer = 2_147_483_647

const after: Clock['after'] = (milliseconds, callback) => {
  const timer = setTimeout(callback, Math.min(Math.max(milliseconds, 0), longestTimer))
  return () => clearTimeout(timer)
}

/** A clock's `sleep`, made from its `after`. */
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
