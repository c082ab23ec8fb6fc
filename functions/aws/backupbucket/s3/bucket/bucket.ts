import type { LifecycleRule, TransitionDefaultMinimumObjectSize } from '@aws-sdk/client-s3'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'

/** Which requests of strangers S3 turns down, whatever policies and lists allow. */
export interface PublicAccess {
  readonly blockPublicAcls: boolean
  readonly ignorePublicAcls: boolean
  readonly blockPublicPolicy: boolean
  readonly restrictPublicBuckets: boolean
}

/** All rules of a bucket. S3 only replaces them together. */
export interface Lifecycle {
  readonly rules: readonly LifecycleRule[]
  /** Of the bucket, to be handed back as it was; undefined: S3's default. */
  readonly minimumSize?: TransitionDefaultMinimumObjectSize | undefined
}

/** How long S3 keeps each new object from being deleted. Compliance: nobody can lift it, the account's owner neither. */
export interface BucketRetention {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE'
  readonly days: number
}

/** Object lock is on, and cannot be switched off any more. */
export interface ObjectLock {
  /** Undefined: new objects are not locked by themselves. */
  readonly retention: BucketRetention | undefined
}

/** An object version or a delete marker. `versionId` is `null` as text where the bucket has never had versions. */
export interface VersionRef {
  readonly key: string
  readonly versionId: string
}

export interface VersionEntry extends VersionRef {
  readonly modified: Timestamp
}

/** Where a page ends; the next one begins behind it. */
export interface VersionPosition {
  readonly key: string
  readonly versionId?: string | undefined
}

export interface VersionPage {
  /** At most 1,000, with the delete markers, in no particular order among them. */
  readonly versions: readonly VersionEntry[]
  /** Undefined: it was the last one. */
  readonly next: VersionPosition | undefined
}

/** A key that a batch could not delete, and why. */
export interface DeleteFailure extends VersionRef {
  readonly code: string
  readonly message: string
}

/** What keeps a version from being deleted. */
export type VersionLock =
  | { readonly kind: 'retention'; readonly mode: BucketRetention['mode']; readonly until: Timestamp }
  /** Until somebody lifts it. */
  | { readonly kind: 'legal-hold' }
  | { readonly kind: 'none' }

/**
 * The calls on one bucket, with the credentials of one object, for one step. The name is the object's, so nothing can
 * reach another bucket. Rejects with what `stepError` makes of the SDK's errors, or with a `BucketElsewhereError` or a
 * `ForeignBucketError`. Each call is one request; `remove` and `getPolicy`, one of which is the first on a bucket, make a
 * second one where S3 denies the first, to tell somebody else's bucket from a missing permission.
 */
export interface S3Bucket {
  readonly name: string
  readonly region: string
  /** `there`: this account has it already, and nothing was changed. */
  create(options: { readonly objectLock: boolean }): Promise<'made' | 'there'>
  /** Only ever an empty one. */
  remove(): Promise<void>
  /**
   * The policy's text; undefined: there is none. Only callers of the account that owns the bucket get an answer
   * ("GetBucketPolicy", S3 API reference: all others 405), so that whoever has one knows whose it is.
   */
  getPolicy(): Promise<string | undefined>
  putPolicy(text: string): Promise<void>
  getPublicAccess(): Promise<PublicAccess | undefined>
  blockPublicAccess(): Promise<void>
  /** The algorithm that new objects are encrypted with: `AES256`, `aws:kms`; undefined: none is set. */
  getEncryption(): Promise<string | undefined>
  /** SSE-S3. */
  encrypt(): Promise<void>
  getLifecycle(): Promise<Lifecycle>
  putLifecycle(lifecycle: Lifecycle): Promise<void>
  /** Undefined: object lock is off. */
  getObjectLock(): Promise<ObjectLock | undefined>
  /** Undefined: new objects are not locked any more; those that are stay so. */
  putRetention(retention: BucketRetention | undefined): Promise<void>
  enableVersioning(): Promise<void>
  listVersions(options: {
    readonly prefix: string
    readonly after: VersionPosition | undefined
  }): Promise<VersionPage>
  /** At most 1,000. The failures; the others are gone. One request, and one more for each key that XML cannot hold. */
  deleteVersions(versions: readonly VersionRef[]): Promise<readonly DeleteFailure[]>
  /** Replaces the tags of a version. */
  tagVersion(version: VersionRef, tag: { readonly key: string; readonly value: string }): Promise<void>
  /** One request; two where no retention is in force. */
  lockOf(version: VersionRef, now: Timestamp): Promise<VersionLock>
}
