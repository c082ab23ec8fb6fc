import type { Timestamp } from '../clock/clock.ts'
import { factsOf } from './desired-secret.ts'
import type { ManagedSecret } from './managed-secret.ts'

/** By how much clocks may differ, in ms: who is early by less waits for less. */
const skewMs = 5 * 60_000

/**
 * Whether a certificate was made by a clock that was ahead, so that nobody accepts it yet. Goes by the API server's clock, too: one
 * of this process that is late must not count what is right as wrong.
 */
export const isNotYetValid = (secret: Pick<ManagedSecret, 'data' | 'createdAt'>, now: Timestamp): boolean => {
  const begins = factsOf(secret)?.notBefore
  return begins !== undefined && begins > now + skewMs && begins > secret.createdAt + skewMs
}
