import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { secretReference } from './references.ts'
import { optional } from './scalars.ts'

/** A bucket for backups; its name is the object's name (docs/contract/kinds.md#backupbucket). Cluster-scoped. */
export const backupBucketSchema = extensionObject(
  'BackupBucket',
  'A bucket for the backups of a seed or a shoot.',
  {
    region: z.string().describe('Region of the bucket. Immutable.'),
    secretRef: secretReference.describe('The Secret with the credentials of the object store.'),
  },
  { generatedSecretRef: optional(secretReference, 'A Secret that the backend created for this bucket.') },
)
/** A BackupBucket, parsed with its schema. */
export type BackupBucket = z.infer<typeof backupBucketSchema>
