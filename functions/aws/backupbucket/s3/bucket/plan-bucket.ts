import { configurationProblem } from '../../../../../shared/contract/errors.ts'
import type { BucketRetention, Lifecycle, PublicAccess } from './bucket.ts'
import type { DesiredBucket } from './desired-bucket.ts'
import { abortUploads, lifecycleWith } from './lifecycle-rules.ts'
import type { ObservedBucket } from './observe-bucket.ts'
import { peerStatement, policyWith, tlsStatements } from './policy.ts'

/** One write to S3. `sentence`: a description for users. */
export type BucketAction = { readonly sentence: string } & (
  | { readonly kind: 'create'; readonly objectLock: boolean }
  | { readonly kind: 'encrypt' }
  | { readonly kind: 'block-public-access' }
  | { readonly kind: 'put-policy'; readonly policy: string }
  | { readonly kind: 'put-lifecycle'; readonly lifecycle: Lifecycle }
  | { readonly kind: 'enable-versioning' }
  | { readonly kind: 'put-retention'; readonly retention: BucketRetention | undefined }
)

/**
 * Returns the writes for a desired bucket, in order; none if it is as desired. Retains what others added to its policy
 * and lifecycle. Throws a `CodedError` instead of weakening a lock in compliance mode.
 *
 * @param observed undefined: the bucket does not exist
 */
export const planBucket = (
  desired: DesiredBucket,
  observed: ObservedBucket | undefined,
): readonly BucketAction[] => {
  const { name, region, retention } = desired
  if (observed !== undefined) refuseWeakerLock(desired, observed)
  // S3 encrypts a new bucket and blocks public access to it; other implementations of S3 do not.
  const present = observed ?? emptyBucket
  const actions: BucketAction[] = []
  if (observed === undefined) {
    const locked = retention === undefined ? '' : ' with object lock'
    actions.push({
      kind: 'create',
      sentence: `create bucket ${name} in ${region}${locked}`,
      objectLock: retention !== undefined,
    })
  }
  if (present.encryption !== undefined && present.encryption.algorithm === undefined)
    actions.push({ kind: 'encrypt', sentence: `encrypt bucket ${name} with SSE-S3` })
  if (!isClosed(present.publicAccess))
    actions.push({ kind: 'block-public-access', sentence: `block public access to bucket ${name}` })
  const policy = policyWith(present.policy, tlsStatements(name, region), peerStatement(name, region))
  if (policy !== undefined)
    actions.push({ kind: 'put-policy', sentence: `deny requests to bucket ${name} below TLS 1.2`, policy })
  const lifecycle = lifecycleWith(present.lifecycle, [abortUploads])
  if (lifecycle !== undefined)
    actions.push({
      kind: 'put-lifecycle',
      sentence: `abort uploads to bucket ${name} that are unfinished after 7 days`,
      lifecycle,
    })
  return [...actions, ...retentionActions(desired, observed)]
}

const emptyBucket: ObservedBucket = {
  policy: undefined,
  publicAccess: undefined,
  lifecycle: { rules: [] },
  objectLock: undefined,
  encryption: { algorithm: undefined },
}

const retentionActions = (
  { name, retention }: DesiredBucket,
  observed: ObservedBucket | undefined,
): readonly BucketAction[] => {
  const lock = observed?.objectLock
  if (isSameRetention(retention, lock?.retention)) return []
  const put: BucketAction = {
    kind: 'put-retention',
    sentence:
      retention === undefined
        ? `stop locking new objects of bucket ${name}`
        : `lock new objects of bucket ${name} for ${retentionText(retention)}`,
    retention,
  }
  // A bucket created with object lock already has versioning.
  const needsVersions = observed !== undefined && lock === undefined
  return needsVersions
    ? [{ kind: 'enable-versioning', sentence: `enable versioning of bucket ${name}` }, put]
    : [put]
}

/** `30 days in compliance mode` */
const retentionText = ({ mode, days }: BucketRetention): string =>
  `${days} ${days === 1 ? 'day' : 'days'} in ${mode.toLowerCase()} mode`

/**
 * S3 would let the account's owner weaken the default of a bucket in compliance mode. Users choose that mode to prevent
 * exactly this.
 */
const refuseWeakerLock = ({ name, retention }: DesiredBucket, { objectLock }: ObservedBucket): void => {
  const present = objectLock?.retention
  if (present?.mode !== 'COMPLIANCE') return
  const refuse = (field: string, what: string, wayOut: string): never => {
    throw configurationProblem(
      `spec.providerConfig.immutability${field}: ${what}, but bucket ${name} locks its objects for ${retentionText(present)}, which cannot be weakened. ${wayOut}`,
    )
  }
  if (retention === undefined) {
    refuse('', 'expected the lock of the bucket, found none', 'Restore it, or use another bucket')
  } else if (retention.mode !== 'COMPLIANCE') {
    refuse(
      '.mode',
      'expected compliance, found governance',
      'Set it to compliance again, or use another bucket',
    )
  } else if (retention.days < present.days) {
    refuse(
      '.retentionPeriod',
      `expected at least ${present.days * 24}h, found ${retention.days * 24}h`,
      'Set it to at least this value, or use another bucket',
    )
  }
}

const isClosed = (access: PublicAccess | undefined): boolean =>
  access !== undefined && Object.values(access).every(Boolean)

const isSameRetention = (a: BucketRetention | undefined, b: BucketRetention | undefined): boolean =>
  a?.mode === b?.mode && a?.days === b?.days
