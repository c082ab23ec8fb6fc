import type { Timestamp } from '../clock/clock.ts'
import type { CertificateFacts } from './certificates/certificate-facts.ts'

const dayMs = 86_400_000
/** A certificate that ends sooner is renewed. */
const lastDaysMs = 10 * dayMs
const usualPercentage = 80

/**
 * When a certificate has to be renewed: after 80 % of its time, or ten days before its end, whichever comes first
 * (docs/contract/secrets-manager.md#renewal). One whose whole time is not longer than ten days goes by the percentage alone: it
 * would be renewed again and again.
 */
export const renewalDueAt = (
  { notBefore, notAfter }: CertificateFacts,
  percentage = usualPercentage,
): Timestamp => {
  const validity = notAfter - notBefore
  const byShare = notBefore + (validity * percentage) / 100
  return validity <= lastDaysMs ? byShare : Math.min(byShare, notAfter - lastDaysMs)
}
