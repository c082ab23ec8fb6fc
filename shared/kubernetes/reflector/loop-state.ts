import type { Clock, Timestamp } from '../../clock/clock.ts'
import { KubernetesError } from '../port.ts'
import type { KnownObjects } from './known-objects.ts'
import type { ReflectorHandler, RestartReason } from './reflector-handler.ts'

const firstDelayMs = 500
const longestDelayMs = 10_000

/** Creates the activity and the failures of a reflector's loop, and reports them to the handler. */
export const createLoopState = (
  clock: Clock,
  random: () => number,
  handler: ReflectorHandler,
  call: KnownObjects['call'],
) => {
  let failures = 0
  /** The failure that is being retried. */
  let failure: unknown
  let lastActivity = clock.now()
  const active = () => {
    lastActivity = clock.now()
  }
  /** The server answered. The failure ends, but the next one waits as long as if it had not. */
  const answered = () => {
    if (failure === undefined) return
    failure = undefined
    call('recovered', undefined, () => handler.recovered?.())
  }
  return {
    active,
    lastActivity: (): Timestamp => lastActivity,
    answered,
    /** The watch works, or ended normally: the next failure has the shortest delay again. */
    well: () => {
      failures = 0
      answered()
    },
    /** The watch sent something after its initial objects. */
    heard: () => {
      if (handler.heard) call('heard', undefined, () => handler.heard?.())
    },
    restarted: (reason: RestartReason, relist: boolean, error?: unknown) => {
      active()
      const about = error === undefined ? { reason, relist } : { reason, relist, error }
      call('restarted', undefined, () => handler.restarted?.(about))
    },
    /** Counts a failure and returns true if it is the first since `well`: it needs no delay. */
    isFirstFailure: () => {
      if (failures > 0) return false
      failures++
      return true
    },
    /** Counts a failure and waits before its retry. */
    pause: async (error: unknown, signal: AbortSignal) => {
      failure = error
      const asked = error instanceof KubernetesError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      const backoff = Math.min(firstDelayMs * 2 ** failures, longestDelayMs)
      failures++
      await clock.sleep(Math.max(Math.min(asked, longestDelayMs), backoff * (0.5 + random() / 2)), signal)
    },
    failure: () => failure,
  }
}

export type LoopState = ReturnType<typeof createLoopState>
