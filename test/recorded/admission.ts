import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { RecordedReview } from '../../shared/webhooks/admission/testing/recording.ts'

/*
 * The answers of the unmodified gardener-extension-admission-aws of the same commit to reviews: some of every kind, by
 * their recording file beside the repository.
 */

/** The reviews in this folder, by file and name. */
export const ownAdmissionCases: Readonly<Record<string, readonly string[]>> = {
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

const read = (file: string): unknown =>
  parse(readFileSync(join(import.meta.dirname, 'admission', file), 'utf8'))

export interface StandardReview {
  readonly file: string
  readonly review: RecordedReview
}

/** Returns the reviews that are always available. */
export const standardReviews = (): readonly StandardReview[] =>
  read('reviews.yaml') as readonly StandardReview[]

/** Returns the objects in the garden during the recording. */
export const standardGarden = (): readonly KubernetesObject[] =>
  read('garden.yaml') as readonly KubernetesObject[]
