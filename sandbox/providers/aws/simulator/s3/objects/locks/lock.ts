import type { Timestamp } from '../../../../../../../shared/clock/clock.ts'
import type { Bucket, ObjectVersion, Retention, Version } from '../../state.ts'

/** Returns true if a version cannot be deleted now ("How S3 Object Lock works", S3 user guide). */
export const isLocked = (version: Version, now: Timestamp, bypassGovernance: boolean): boolean => {
  if (version.deleteMarker) return false
  if (version.legalHold) return true
  const { retention } = version
  if (!retention || retention.until <= now) return false
  return !(retention.mode === 'GOVERNANCE' && bypassGovernance)
}

/** A year has 365 days. */
export const defaultRetention = ({ defaultRetention: rule }: Bucket, now: Timestamp): Retention | undefined =>
  rule && { mode: rule.mode, until: now + (rule.days ?? (rule.years ?? 0) * 365) * 86_400_000 }

export const showLock = ({ retention, legalHold }: Pick<ObjectVersion, 'retention' | 'legalHold'>) => ({
  ...(retention
    ? { ObjectLockMode: retention.mode, ObjectLockRetainUntilDate: new Date(retention.until) }
    : {}),
  ...(legalHold ? { ObjectLockLegalHoldStatus: 'ON' as const } : {}),
})
