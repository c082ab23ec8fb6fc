import type { Problem } from '../../../../../shared/contract/problems.ts'
import type { BucketRetention } from './bucket.ts'

/**
 * What of a lock cannot be taken back once it was promised that nobody can: mode compliance becomes neither weaker nor shorter.
 * Paths begin at the config. That it is taken away is no problem here: S3 lets it be, and keeps what is locked.
 */
export const retentionChangeProblems = (
  before: BucketRetention | undefined,
  after: BucketRetention | undefined,
): readonly Problem[] => {
  if (before?.mode !== 'COMPLIANCE' || after === undefined) return []
  if (after.mode !== 'COMPLIANCE') {
    const message = 'expected compliance as before: nobody can lift that'
    return [{ path: 'immutability.mode', message, kind: 'forbidden' }]
  }
  if (after.days >= before.days) return []
  const message = `expected at least ${before.days * 24}h as before, found ${after.days * 24}h: with mode compliance it only becomes longer`
  return [{ path: 'immutability.retentionPeriod', message, kind: 'forbidden' }]
}
