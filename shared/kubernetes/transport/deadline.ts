import { type Clock, followSignal } from '../../clock/clock.ts'
import { ConnectionError } from '../port.ts'

/** A signal for one request, with functions to call at its end. */
export interface Deadline {
  /** Aborts with the parent's reason, or with a `ConnectionError` at the timeout. */
  readonly signal: AbortSignal
  /** Removes the timeout. The signal still follows the parent. */
  stopTimer(): void
  /** Ends both. May be called repeatedly. */
  release(): void
}

/**
 * Starts the timeout of a request in milliseconds. `what` names the request in the error.
 *
 * @example
 * const deadline = startDeadline(clock, 10_000, 'list of nodes', signal)
 * try {
 *   await kubernetes.list(nodes, { signal: deadline.signal })
 * } finally {
 *   deadline.release()
 * }
 */
export const startDeadline = (
  clock: Clock,
  timeoutMs: number,
  what: string,
  parent: AbortSignal | undefined,
): Deadline => {
  const own = followSignal(parent)
  const stopTimer = clock.after(timeoutMs, () =>
    own.abort(
      new ConnectionError(`${what}: no answer in ${timeoutMs / 1_000} s`, { cause: undefined, sent: true }),
    ),
  )
  return {
    signal: own.signal,
    stopTimer,
    release: () => {
      stopTimer()
      own.release()
    },
  }
}
