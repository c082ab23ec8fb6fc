import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'

export interface RateLimitOptions {
  /** Calls per second. */
  readonly qps: number
  /** Calls at once after a rest. */
  readonly burst: number
  /** Longest wait for a turn, in ms. */
  readonly waitTimeoutMs: number
}

/** Calls that may be made. */
export interface Turn {
  /** Gives back `calls` of them that were not needed. */
  release(calls: number): void
}

/** No turn within the longest wait. */
export class RateLimitError extends Error {
  override readonly name = 'RateLimitError'
}

export interface RateLimiter {
  /**
   * Resolves when the identity may make `calls` calls. Throws `RateLimitError` at once, and takes nothing, when that
   * would be later than the longest wait; rejects with the signal's reason when it aborts.
   *
   * A read and the write that may follow are asked for together: were they asked for one by one, many records at once
   * would spend every turn on reads, and none would ever get to its write.
   */
  acquire(identity: string, calls: number, signal: AbortSignal): Promise<Turn>
}

interface Bucket {
  /** Below zero: turns that are promised to those who wait. */
  tokens: number
  at: Timestamp
}

/** How long an unused bucket is kept, in ms (contract, provider-aws §3). It is full again long before. */
const keptMs = 3_600_000

/** A token bucket per identity (access key id or role ARN), for one process. */
export const createRateLimiter = (options: RateLimitOptions, clock: Clock): RateLimiter => {
  const { qps, burst, waitTimeoutMs } = options
  const buckets = new Map<string, Bucket>()

  const bucketOf = (identity: string): Bucket => {
    const now = clock.now()
    for (const [other, bucket] of buckets) if (now - bucket.at > keptMs) buckets.delete(other)
    const bucket = buckets.get(identity) ?? { tokens: burst, at: now }
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(now - bucket.at, 0) / 1000) * qps)
    bucket.at = now
    buckets.set(identity, bucket)
    return bucket
  }

  return {
    acquire: async (identity, calls, signal) => {
      signal.throwIfAborted()
      const bucket = bucketOf(identity)
      const waitMs = (Math.max(calls - bucket.tokens, 0) / qps) * 1000
      if (waitMs > waitTimeoutMs) {
        throw new RateLimitError(
          `the client-side limit of ${qps} calls per second (burst ${burst}) lets the next call pass in ${Math.ceil(waitMs / 1000)} s only`,
        )
      }
      bucket.tokens -= calls
      const release = (unused: number) => {
        bucket.tokens = Math.min(burst, bucket.tokens + unused)
      }
      if (waitMs > 0) {
        try {
          await clock.sleep(waitMs, signal)
        } catch (reason) {
          release(calls)
          throw reason
        }
      }
      return { release }
    },
  }
}
