import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'
import { secretReference } from './references.ts'

/** A bucket for backups; its name is the object's name (docs/contract/kinds.md#backupbucket). Cluster-scoped. */
export const backupBucketSchema = z
  .object({
    ...objectHead('BackupBucket'),
    spec: z
      .object({
        ...defaultSpec,
        region: z.string().describe('Region of the bucket. Immutable.'),
        secretRef: secretReference.describe('The Secret with the credentials of the object store.'),
      })
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        generatedSecretRef: secretReference
          .describe('A Secret that the backend created for this bucket.')
          .exactOptional(),
      })
      .describe('The observed state.')
      .exactOptional(),
  })
  .describe('A bucket for the backups of a seed or a shoot.')
/** A BackupBucket, parsed with its schema. */
export type BackupBucket = z.infer<typeof backupBucketSchema>
