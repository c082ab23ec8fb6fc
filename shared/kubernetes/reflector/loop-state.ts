import type { Clock, Timestamp } from '../../clock/clock.ts'
import { KubernetesError } from '../port.ts'
import type { KnownObjects } from './known-objects.ts'
import type { ReflectorHandler, RestartReason } from './reflector-handler.ts'

/** Activity and failures of a reflector's loop. Reports them to the handler. */
export interface LoopState {
  active(): void
  lastActivity(): Timestamp
  /** The server answered. The failure ends; the delay of the next one stays. */
  answered(): void
  /** The watch works, or ended normally: the next failure has the shortest delay again. */
  well(): void
  /** The watch sent something after its initial objects. */
  heard(): void
  restarted(reason: RestartReason, relist: boolean, error?: unknown): void
  /** Counts a failure and returns true if it is the first since `well`: it needs no delay. */
  isFirstFailure(): boolean
  /** Counts a failure and waits before its retry. */
  pause(error: unknown, signal: AbortSignal): Promise<void>
  /** The failure that is being retried. */
  failure(): unknown
}

const firstDelayMs = 500
const longestDelayMs = 10_000

export const createLoopState = (
  clock: Clock,
  random: () => number,
  handler: ReflectorHandler,
  call: KnownObjects['call'],
): LoopState => {
  let failures = 0
  let failure: unknown
  let lastActivity = clock.now()
  const active = () => {
    lastActivity = clock.now()
  }
  const answered = () => {
    if (failure === undefined) return
    failure = undefined
    call('recovered', undefined, () => handler.recovered?.())
  }
  return {
    active,
    lastActivity: () => lastActivity,
    answered,
    well: () => {
      failures = 0
      answered()
    },
    heard: () => {
      if (handler.heard) call('heard', undefined, () => handler.heard?.())
    },
    restarted: (reason, relist, error) => {
      active()
      const about = error === undefined ? { reason, relist } : { reason, relist, error }
      call('restarted', undefined, () => handler.restarted?.(about))
    },
    isFirstFailure: () => {
      if (failures > 0) return false
      failures++
      return true
    },
    pause: async (error, signal) => {
      failure = error
      const asked = error instanceof KubernetesError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      const backoff = Math.min(firstDelayMs * 2 ** failures, longestDelayMs)
      failures++
      await clock.sleep(Math.max(Math.min(asked, longestDelayMs), backoff * (0.5 + random() / 2)), signal)
    },
    failure: () => failure,
  }
}
