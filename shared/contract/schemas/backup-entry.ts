import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'
import { secretReference } from './references.ts'
import { rawObject } from './scalars.ts'

/**
 * A shoot's part of a backup bucket, named `<technical id>--<shoot uid>` (docs/contract/kinds.md#backupentry).
 * Cluster-scoped.
 */
export const backupEntrySchema = z
  .object({
    ...objectHead('BackupEntry'),
    spec: z
      .object({
        ...defaultSpec,
        backupBucketProviderStatus: rawObject
          .describe('The status.providerStatus of the BackupBucket.')
          .exactOptional(),
        bucketName: z.string().describe('Name of the bucket.'),
        region: z.string().describe('Region of the bucket.'),
        secretRef: secretReference.describe('The Secret with the credentials of the object store.'),
      })
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z.object(defaultStatus).describe('The observed state.').exactOptional(),
  })
  .describe('The backups of one shoot in a bucket.')
/** A BackupEntry, parsed with its schema. */
export type BackupEntry = z.infer<typeof backupEntrySchema>
