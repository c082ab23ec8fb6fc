import type { Timestamp } from '../clock/clock.ts'
import type { CertificateFacts } from './certificates/certificate-facts.ts'

const dayMs = 86_400_000
/** A certificate that expires sooner is renewed. */
const lastDaysMs = 10 * dayMs
const usualPercentage = 80

/**
 * Returns when a certificate must be renewed: after 80 % of its validity or ten days before its end, whichever is
 * earlier (docs/contract/secrets-manager.md#renewal). For a validity of ten days or less only the percentage applies,
 * because otherwise the certificate would be renewed again and again.
 */
export const renewalDueAt = (
  { notBefore, notAfter }: CertificateFacts,
  percentage = usualPercentage,
): Timestamp => {
  const validity = notAfter - notBefore
  const byShare = notBefore + (validity * percentage) / 100
  return validity <= lastDaysMs ? byShare : Math.min(byShare, notAfter - lastDaysMs)
}
