import type { Problem } from '../../../../../shared/decode/problems.ts'
import type { BucketRetention } from './bucket.ts'

/**
 * Returns the parts of a lock that may not be revoked: compliance mode may become neither weaker nor shorter. Paths are
 * relative to the config. Removing the lock is allowed, because S3 permits it and retains existing locks.
 */
export const retentionChangeProblems = (
  before: BucketRetention | undefined,
  after: BucketRetention | undefined,
): readonly Problem[] => {
  if (before?.mode !== 'COMPLIANCE' || after === undefined) return []
  if (after.mode !== 'COMPLIANCE') {
    const message = 'expected compliance: it cannot be removed'
    return [{ path: 'immutability.mode', message, kind: 'forbidden' }]
  }
  if (after.days >= before.days) return []
  const message = `expected at least the previous ${before.days * 24}h, found ${after.days * 24}h: with mode compliance it can only be extended`
  return [{ path: 'immutability.retentionPeriod', message, kind: 'forbidden' }]
}
