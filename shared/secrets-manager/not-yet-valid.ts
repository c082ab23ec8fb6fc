import type { Timestamp } from '../clock/clock.ts'
import { factsOf } from './desired-secret.ts'
import type { ManagedSecret } from './managed-secret.ts'

/** The allowed difference between clocks, in ms. */
const skewMs = 5 * 60_000

/**
 * Returns true if a clock that was ahead made the certificate, so that no client accepts it yet. Compares with the API server's
 * clock, too. Otherwise a process with a slow clock would refuse a valid certificate.
 */
export const isNotYetValid = (secret: Pick<ManagedSecret, 'data' | 'createdAt'>, now: Timestamp): boolean => {
  const begins = factsOf(secret)?.notBefore
  return begins !== undefined && begins > now + skewMs && begins > secret.createdAt + skewMs
}
