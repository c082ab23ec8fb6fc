import { bucketBehaviours } from './buckets.ts'
import { objectBehaviours } from './objects.ts'
import { policyBehaviours } from './policies.ts'
import { versionBehaviours } from './versions.ts'

/** The parts of S3 that backups need. */
export const s3Behaviours = [
  { service: 'S3: buckets', behaviours: bucketBehaviours },
  { service: 'S3: objects', behaviours: objectBehaviours },
  { service: 'S3: policies', behaviours: policyBehaviours },
  { service: 'S3: versions', behaviours: versionBehaviours },
]
