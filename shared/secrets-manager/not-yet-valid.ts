import type { Timestamp } from '../clock/clock.ts'
import { factsOf } from './desired-secret.ts'
import type { ManagedSecret } from './managed-secret.ts'

/** The tolerated difference between clocks, in ms. */
const skewMs = 5 * 60_000

/**
 * Returns true if a fast clock created the certificate, so no client accepts it yet. Also compares with the API
 * server's clock; otherwise a process with a slow clock would refuse a valid certificate.
 */
export const isNotYetValid = (secret: Pick<ManagedSecret, 'data' | 'createdAt'>, now: Timestamp): boolean => {
  const begins = factsOf(secret)?.notBefore
  return begins !== undefined && begins > now + skewMs && begins > secret.createdAt + skewMs
}
