import { type RecordedReview, readRecording } from '../../shared/webhooks/admission/testing/recording.ts'

/*
 * The answers of the unmodified gardener-extension-admission-aws of the same commit to reviews: some of every kind, by
 * their recording file.
 */

/** The usual reviews, by file and name. */
const usualAdmissionCases: Readonly<Record<string, readonly string[]>> = {
  shoot: [
    'good',
    'infrastructureConfig unknown field',
    'IPv6 without overlay setting',
    'cloud profile missing',
    'infrastructure: unknown zone',
    'infrastructure: vpc too small',
    'infrastructure: public equals internal',
    'update: zone removed',
    'update: zone CIDRs changed',
    'controlPlane: unknown gate',
    'worker: volume without type and size',
    'worker: placement',
    'worker: image not in profile',
    'dns: secret bad',
  ],
  cloudprofile: ['good', 'architecture missing', 'capabilities, flavor missing'],
  namespacedcloudprofile: ['new version', 'redefines parent version', 'excess architecture'],
  bindings: ['SecretBinding bad secret', 'CredentialsBinding bad WorkloadIdentity', 'WorkloadIdentity good'],
  'seed-backupbucket': ['Seed 25 h', 'BackupBucket lock shortened'],
  secret: ['good', 'unexpected key', 'id short'],
  handler: ['kind that is not registered'],
  'mutate.shoot': [
    'new shoot',
    'IPv6, load balancer controller off by user',
    'update, overlay taken from old',
  ],
  'mutate.cloudprofile': ['capabilities, flavor missing'],
  'mutate.namespacedcloudprofile': ['status merge'],
}

export interface StandardReview {
  readonly file: string
  readonly review: RecordedReview
}

/** Returns the usual reviews. */
export const standardReviews = (): readonly StandardReview[] =>
  Object.entries(usualAdmissionCases).flatMap(([file, names]) =>
    readRecording(`admission/${file}`)
      .cases.filter(({ name }) => names.includes(name))
      .map(review => ({ file, review })),
  )
