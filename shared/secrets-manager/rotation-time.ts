import type { Timestamp } from '../clock/clock.ts'
import type { CaRotation } from './ca-rotation.ts'
import type { CertificateFacts } from './certificates/certificate-facts.ts'
import type { SecretConfig } from './config.ts'
import { factsOf, labelledFacts, seconds } from './desired-secret.ts'
import { type ManagedSecret, newestOf } from './managed-secret.ts'
import { isNotYetValid } from './not-yet-valid.ts'

export interface RotationTimeInput {
  readonly config: SecretConfig
  /** All existing Secrets of the config. */
  readonly generations: readonly ManagedSecret[]
  readonly rotation: CaRotation | undefined
  readonly now: Timestamp
}

/**
 * Returns the label `last-rotation-initiation-time` of the Secret in use, in seconds, empty for the first one. For CAs
 * the shoot's rotation decides. Otherwise the newest Secret stays until its renewal is due. The result is then that due
 * time, so two processes at different times create the same Secret. A certificate that is not valid yet gets the
 * following second: its replacement then has another name, and the pods that mount it change. A CA that is not valid
 * yet is recreated under its old name.
 */
export const rotationTime = ({ config, generations, rotation, now }: RotationTimeInput): string => {
  if (config.kind === 'ca' && rotation !== undefined) return seconds(rotation.startedAt)
  const newest = newestOf(generations)
  if (newest === undefined) return ''
  const next = Number(newest.rotation) + 1
  if (config.kind !== 'ca' && isNotYetValid(newest, now)) return String(next)
  const facts = lifetimeOf(config, newest)
  const dueAt = facts && renewalDueAt(facts, config.renewAfterValidityPercentage)
  // Always later than the time of the renewed Secret, because the newest Secret is the one in use.
  return dueAt !== undefined && dueAt <= now
    ? String(Math.max(Number(seconds(dueAt)), next))
    : newest.rotation
}

const lifetimeOf = (config: SecretConfig, newest: ManagedSecret) => {
  if (config.kind === 'password') return labelledFacts(newest)
  return config.kind !== 'ca' || config.autoRotate ? factsOf(newest) : undefined
}

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
