import type { Clock } from '../../../shared/clock/clock.ts'
import { isAllowed } from '../accounts/key-ring.ts'

/** A token bucket: `burst` calls at once, then `perSecond`. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** By pattern of actions (`route53:*`, `ec2:Describe*`); a call takes a token from each bucket it matches. */
export type Rates = Readonly<Record<string, Rate>>

/** Whether a call of the account is within the rates. */
export type Throttle = (accountId: string, action: string) => boolean

interface Bucket {
  tokens: number
  at: number
}

/** One bucket for each account and pattern, filled by the clock. */
export const createThrottle = (clock: Clock, rates: Rates): Throttle => {
  const buckets = new Map<string, Bucket>()
  return (accountId, action) => {
    const now = clock.now()
    const filled = Object.entries(rates)
      .filter(([pattern]) => isAllowed(action, [pattern]))
      .map(([pattern, rate]) => {
        const key = `${accountId} ${pattern}`
        const bucket = buckets.get(key) ?? { tokens: rate.burst, at: now }
        bucket.tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond)
        bucket.at = now
        buckets.set(key, bucket)
        return bucket
      })
    if (filled.some(bucket => bucket.tokens < 1)) return false
    for (const bucket of filled) bucket.tokens -= 1
    return true
  }
}
