import type { Clock } from '../../../../../shared/clock/clock.ts'
import { isAllowed } from '../accounts/key-ring.ts'
import type { Counted, Rates } from './rates.ts'

/** Returns true if a call is within the rates of its holder: an account, or an account in a region. */
export type Throttle = (holder: string, action: string, counted?: Counted) => boolean

interface TokenBucket {
  tokens: number
  at: number
}

/** Creates a throttle with one bucket per holder and name, filled by the clock. A refused call takes no tokens. */
export const createThrottle = (clock: Clock, rates: Rates): Throttle => {
  const buckets = new Map<string, TokenBucket>()
  const patterns = new Map<string, readonly string[]>()

  const patternsOf = (action: string): readonly string[] => {
    const known = patterns.get(action)
    if (known) return known
    const found = Object.keys(rates).filter(pattern => isAllowed(action, [pattern]))
    patterns.set(action, found)
    return found
  }

  const fill = (holder: string, name: string): TokenBucket | undefined => {
    const rate = rates[name]
    if (!rate) return undefined
    const now = clock.now()
    const key = `${holder} ${name}`
    const bucket = buckets.get(key) ?? { tokens: rate.burst, at: now }
    bucket.tokens = Math.min(
      rate.burst,
      bucket.tokens + (Math.max(now - bucket.at, 0) / 1000) * rate.perSecond,
    )
    bucket.at = now
    buckets.set(key, bucket)
    return bucket
  }

  return (holder, action, counted = {}) => {
    const costs = [...patternsOf(action).map(name => [name, 1] as const), ...Object.entries(counted)]
    const taken = costs.flatMap(([name, tokens]) => {
      const bucket = fill(holder, name)
      return bucket ? [{ bucket, tokens }] : []
    })
    if (taken.some(({ bucket, tokens }) => bucket.tokens < tokens)) return false
    for (const { bucket, tokens } of taken) bucket.tokens -= tokens
    return true
  }
}
