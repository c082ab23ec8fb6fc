import type { Clock } from '../../clock/clock.ts'
import { ConnectionError } from '../port.ts'

/** A signal for one request, and what must be called when the request is over. */
export interface Deadline {
  /** Aborts with the parent's reason, or with a `ConnectionError` when the time is up. */
  readonly signal: AbortSignal
  /** Takes the time limit away; the parent is still followed. */
  stopTimer(): void
  /** Ends both. May be called often. */
  release(): void
}

/** Starts the time limit of a request, in ms. `what` names the request in the error. */
export const startDeadline = (
  clock: Clock,
  timeoutMs: number,
  what: string,
  parent: AbortSignal | undefined,
): Deadline => {
  const controller = new AbortController()
  const follow = () => controller.abort(parent?.reason)
  if (parent?.aborted) follow()
  parent?.addEventListener('abort', follow, { once: true })
  const stopTimer = clock.after(timeoutMs, () =>
    controller.abort(
      new ConnectionError(`${what}: no answer in ${timeoutMs / 1_000} s`, { cause: undefined, sent: true }),
    ),
  )
  return {
    signal: controller.signal,
    stopTimer,
    release: () => {
      stopTimer()
      parent?.removeEventListener('abort', follow)
    },
  }
}
