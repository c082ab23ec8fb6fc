import { bucketBehaviours } from './buckets.ts'
import { objectBehaviours } from './objects.ts'
import { policyBehaviours } from './policies.ts'
import { versionBehaviours } from './versions.ts'

/** S3 as far as backups need it. */
export const s3Behaviours = [
  { service: 'S3: buckets', behaviours: bucketBehaviours },
  { service: 'S3: objects', behaviours: objectBehaviours },
  { service: 'S3: policies', behaviours: policyBehaviours },
  { service: 'S3: versions', behaviours: versionBehaviours },
]
