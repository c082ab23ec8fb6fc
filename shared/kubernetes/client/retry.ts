import type { Clock } from '../../clock/clock.ts'
import { ConnectionError, KubernetesError } from '../port.ts'

/** When and how often a request is repeated. */
export interface RetryPolicy {
  /** Tries in all, the first one included. */
  readonly attempts: number
  /** Mean wait before the first repetition, in ms; it doubles with each one. */
  readonly baseMs: number
  /** Longest mean wait without Retry-After, in ms. */
  readonly maxMs: number
  /** A server that asks for more than this is not waited for: the error surfaces, in ms. */
  readonly maxRetryAfterMs: number
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  baseMs: 100,
  maxMs: 2_000,
  maxRetryAfterMs: 30_000,
}

/** What a repetition could do twice: a read nothing, a write whatever it writes. */
export type RequestClass = 'read' | 'write'

/** Whether the same request may be sent again after this error (rules: `Kubernetes` in port.ts). */
export const mayRepeat = (error: unknown, requestClass: RequestClass): boolean => {
  if (error instanceof KubernetesError) {
    return error.status === 429 || (requestClass === 'read' && error.status >= 500)
  }
  return error instanceof ConnectionError && (requestClass === 'read' || !error.sent)
}

/** Milliseconds to wait before try number `attempt` + 1, or undefined to give up. */
export const delayBeforeRetry = (
  error: unknown,
  attempt: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined => {
  if (attempt >= policy.attempts) return undefined
  const mean = Math.min(policy.baseMs * 2 ** (attempt - 1), policy.maxMs)
  const backoff = mean * (0.5 + random())
  const asked = error instanceof KubernetesError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
  return asked > policy.maxRetryAfterMs ? undefined : Math.max(asked, backoff)
}

/** Runs `attempt` until it succeeds, may not be repeated, or has been tried often enough. */
export const withRetries = async <T>(
  deps: { readonly clock: Clock; readonly policy: RetryPolicy; readonly random: () => number },
  requestClass: RequestClass,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (signal?.aborted || !mayRepeat(error, requestClass)) throw error
      const delay = delayBeforeRetry(error, tries, deps.policy, deps.random)
      if (delay === undefined) throw error
      await deps.clock.sleep(delay, signal)
    }
  }
}
