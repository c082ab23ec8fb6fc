import type { Clock } from '../../clock/clock.ts'
import { ConnectionError, KubernetesError } from '../port.ts'

/** The limits and waits of retries. */
export interface RetryPolicy {
  /** Maximum number of attempts, with the first. */
  readonly attempts: number
  /** Mean wait before the first retry, in milliseconds. Doubles with each retry. */
  readonly baseMs: number
  /** Longest mean wait without Retry-After, in milliseconds. */
  readonly maxMs: number
  /** Longest accepted Retry-After, in milliseconds. A longer one fails the request. */
  readonly maxRetryAfterMs: number
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  baseMs: 100,
  maxMs: 2_000,
  maxRetryAfterMs: 30_000,
}

/** The effect of a repeated request: none for a read; a write may happen twice. */
export type RequestClass = 'read' | 'write'

/** Returns true if the same request may be sent again after this error (rules: `Kubernetes` in port.ts). */
const mayRepeat = (error: unknown, requestClass: RequestClass): boolean => {
  if (error instanceof KubernetesError)
    return error.status === 429 || (requestClass === 'read' && error.status >= 500)
  return error instanceof ConnectionError && (requestClass === 'read' || !error.sent)
}

/** Returns the wait in milliseconds before attempt `attempt` + 1, or undefined to give up. */
const delayBeforeRetry = (
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

/** Runs `attempt` until it succeeds, must not be repeated, or has reached the maximum. */
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
