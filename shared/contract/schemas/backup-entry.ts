import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { secretReference } from './references.ts'
import { optional, rawObject } from './scalars.ts'

/**
 * A shoot's part of a backup bucket, named `<technical id>--<shoot uid>` (docs/contract/kinds.md#backupentry).
 * Cluster-scoped.
 */
export const backupEntrySchema = extensionObject('BackupEntry', 'The backups of one shoot in a bucket.', {
  backupBucketProviderStatus: optional(rawObject, 'The status.providerStatus of the BackupBucket.'),
  bucketName: z.string().describe('Name of the bucket.'),
  region: z.string().describe('Region of the bucket.'),
  secretRef: secretReference.describe('The Secret with the credentials of the object store.'),
})
/** A BackupEntry, parsed with its schema. */
export type BackupEntry = z.infer<typeof backupEntrySchema>
