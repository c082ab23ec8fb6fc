import type {
  ObjectLockRetentionMode,
  PublicAccessBlockConfiguration,
  ServerSideEncryptionRule,
} from '@aws-sdk/client-s3'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'

/* S3's state of an account: plain JSON data. */

export interface S3Tag {
  readonly Key: string
  readonly Value: string
}

export interface Retention {
  readonly mode: ObjectLockRetentionMode
  readonly until: Timestamp
}

export interface Checksum {
  /** `CRC32`, `CRC64NVME`, the names in the parameters. */
  readonly algorithm: string
  /** Base64. */
  readonly value: string
  readonly type: 'FULL_OBJECT' | 'COMPOSITE'
}

/** The headers of an object. */
export interface ObjectHeaders {
  readonly ContentType?: string | undefined
  readonly CacheControl?: string | undefined
  readonly ContentDisposition?: string | undefined
  readonly ContentEncoding?: string | undefined
  readonly ContentLanguage?: string | undefined
  readonly ServerSideEncryption?: 'AES256' | 'aws:kms' | 'aws:kms:dsse' | undefined
  readonly SSEKMSKeyId?: string | undefined
}

interface Stored {
  /** `null` for the version that is created without versioning. */
  readonly id: string
  readonly modified: Timestamp
}

export interface DeleteMarker extends Stored {
  readonly deleteMarker: true
}

export interface ObjectVersion extends Stored {
  readonly deleteMarker: false
  /** In quotes, as in the header. */
  readonly etag: string
  readonly size: number
  /** Base64. */
  readonly body: string
  readonly headers: ObjectHeaders
  readonly metadata: Readonly<Record<string, string>>
  readonly storageClass: string
  readonly checksum: Checksum
  readonly tags: readonly S3Tag[]
  readonly retention: Retention | undefined
  readonly legalHold: boolean
}

export type Version = ObjectVersion | DeleteMarker

/** A key with all its versions, newest first. Never empty. */
export interface StoredObject {
  readonly key: string
  versions: readonly Version[]
}

/** The default retention of new objects. */
export interface DefaultRetention {
  readonly mode: ObjectLockRetentionMode
  readonly days?: number
  readonly years?: number
}

export interface Bucket {
  readonly name: string
  readonly region: string
  readonly createdAt: Timestamp
  versioning: 'Enabled' | 'Suspended' | undefined
  /** True if objects can be locked. Cannot be reset. */
  lockEnabled: boolean
  defaultRetention: DefaultRetention | undefined
  encryption: readonly ServerSideEncryptionRule[]
  publicAccess: Readonly<Required<PublicAccessBlockConfiguration>> | undefined
  /** The JSON as it was sent. */
  policy: string | undefined
  /** The rules as JSON, see `rulesOf`. */
  lifecycle: string | undefined
  /** Sorted by key. */
  objects: StoredObject[]
  /** The last day (in days since the epoch) for which lifecycle actions were applied. */
  sweptDay: number | undefined
}

export interface S3State {
  /** In order of creation. */
  buckets: readonly Bucket[]
  /** Names of deleted buckets that other regions and accounts cannot use yet. */
  released: readonly { readonly name: string; readonly region: string; readonly at: Timestamp }[]
}

export const emptyState = (): S3State => ({ buckets: [], released: [] })
