import type { Timestamp } from '../clock/clock.ts'
import type { CaRotation } from './ca-rotation.ts'
import type { SecretConfig } from './config.ts'
import { factsOf, labelledFacts, seconds } from './desired-secret.ts'
import { type ManagedSecret, newestOf } from './managed-secret.ts'
import { isNotYetValid } from './not-yet-valid.ts'
import { renewalDueAt } from './renewal.ts'

export interface RotationTimeInput {
  readonly config: SecretConfig
  /** All Secrets of the config that are there. */
  readonly generations: readonly ManagedSecret[]
  /** Of the shoot. */
  readonly rotation: CaRotation | undefined
  readonly now: Timestamp
}

/**
 * Of which time the Secret that counts is: the label `last-rotation-initiation-time`, in seconds, empty for the first one. The
 * shoot's rotation decides for CAs. Else the newest one stays, until it is due for renewal: then it is the instant at which it
 * fell due, so that two processes that find it at different times make one and the same. A certificate that is not valid yet
 * gets the following second, so its replacement has another name and the pods that mount it change. A CA that is not valid yet
 * is recreated under its old name.
 */
export const rotationTime = ({ config, generations, rotation, now }: RotationTimeInput): string => {
  if (config.kind === 'ca' && rotation !== undefined) return seconds(rotation.startedAt)
  const newest = newestOf(generations)
  if (newest === undefined) return ''
  const next = Number(newest.rotation) + 1
  if (config.kind !== 'ca' && isNotYetValid(newest, now)) return String(next)
  const facts = lifetimeOf(config, newest)
  const dueAt = facts && renewalDueAt(facts, config.renewAfterValidityPercentage)
  // Always later than the renewed Secret, because the newest Secret counts.
  return dueAt !== undefined && dueAt <= now
    ? String(Math.max(Number(seconds(dueAt)), next))
    : newest.rotation
}

const lifetimeOf = (config: SecretConfig, newest: ManagedSecret) => {
  if (config.kind === 'password') return labelledFacts(newest)
  return config.kind !== 'ca' || config.autoRotate ? factsOf(newest) : undefined
}
