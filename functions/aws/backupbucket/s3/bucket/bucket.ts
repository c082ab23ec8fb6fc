import type { LifecycleRule, TransitionDefaultMinimumObjectSize } from '@aws-sdk/client-s3'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'

/** The public requests that S3 blocks, regardless of policies and ACLs. */
export interface PublicAccess {
  readonly blockPublicAcls: boolean
  readonly ignorePublicAcls: boolean
  readonly blockPublicPolicy: boolean
  readonly restrictPublicBuckets: boolean
}

/** All rules of a bucket. S3 can only replace them together. */
export interface Lifecycle {
  readonly rules: readonly LifecycleRule[]
  /** The bucket's value, to write back unchanged. Undefined: S3's default. */
  readonly minimumSize?: TransitionDefaultMinimumObjectSize | undefined
}

/**
 * How long S3 protects each new object from deletion. Compliance: no user can lift it, not even the account's owner.
 */
export interface BucketRetention {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE'
  readonly days: number
}

/** Object lock is enabled. It cannot be disabled. */
export interface ObjectLock {
  /** Undefined: new objects are not locked by default. */
  readonly retention: BucketRetention | undefined
}

/** An object version or a delete marker. `versionId` is the text `null` if the bucket has never had versions. */
export interface VersionRef {
  readonly key: string
  readonly versionId: string
}

export interface VersionEntry extends VersionRef {
  readonly modified: Timestamp
}

/** The end of a page. The next page begins after it. */
export interface VersionPosition {
  readonly key: string
  readonly versionId?: string | undefined
}

export interface VersionPage {
  /** At most 1,000, including delete markers, in no defined order. */
  readonly versions: readonly VersionEntry[]
  /** Undefined: this was the last page. */
  readonly next: VersionPosition | undefined
}

/** A key that a batch could not delete, and the reason. */
export interface DeleteFailure extends VersionRef {
  readonly code: string
  readonly message: string
}

/** The lock that protects a version from deletion. */
export type VersionLock =
  | { readonly kind: 'retention'; readonly mode: BucketRetention['mode']; readonly until: Timestamp }
  /** Active until it is removed by hand. */
  | { readonly kind: 'legal-hold' }
  | { readonly kind: 'none' }

/**
 * The calls on one bucket, with the credentials of one object, for one step. The name is that of the object, so no call
 * reaches another bucket. Rejects with the result of `stepError` for the SDK's error, or with a `BucketElsewhereError`
 * or `ForeignBucketError`. Each call is one request. `remove` and `getPolicy`, one of which is the first call on a
 * bucket, send a second one if S3 denies the first, to distinguish another account's bucket from a missing permission.
 */
export interface S3Bucket {
  readonly name: string
  readonly region: string
  /** `there`: this account already owns the bucket, and nothing was changed. */
  create(options: { readonly objectLock: boolean }): Promise<'made' | 'there'>
  /** Deletes only an empty bucket. */
  remove(): Promise<void>
  /**
   * Returns true if the list of the account's buckets contains this one. Undefined: the credentials may not read the
   * list (`s3:ListAllMyBuckets`). S3 may list a deleted bucket for a while.
   */
  isListed(): Promise<boolean | undefined>
  /**
   * Returns the policy's text, or undefined if there is none. Only callers of the owning account get a response
   * ("GetBucketPolicy", S3 API reference: all others 405), so a response proves the ownership.
   */
  getPolicy(): Promise<string | undefined>
  putPolicy(text: string): Promise<void>
  getPublicAccess(): Promise<PublicAccess | undefined>
  blockPublicAccess(): Promise<void>
  /** Returns the encryption algorithm of new objects: `AES256`, `aws:kms`. Undefined: none is set. */
  getEncryption(): Promise<string | undefined>
  /** SSE-S3. */
  encrypt(): Promise<void>
  getLifecycle(): Promise<Lifecycle>
  putLifecycle(lifecycle: Lifecycle): Promise<void>
  /** Returns undefined if object lock is disabled. */
  getObjectLock(): Promise<ObjectLock | undefined>
  /** Undefined: new objects are no longer locked. Existing locks remain. */
  putRetention(retention: BucketRetention | undefined): Promise<void>
  enableVersioning(): Promise<void>
  listVersions(options: {
    readonly prefix: string
    readonly after: VersionPosition | undefined
  }): Promise<VersionPage>
  /**
   * Deletes at most 1,000 versions and returns the failures. Sends one request, and one more for each key that XML
   * cannot represent.
   */
  deleteVersions(versions: readonly VersionRef[]): Promise<readonly DeleteFailure[]>
  /** Replaces the tags of a version. */
  tagVersion(version: VersionRef, tag: { readonly key: string; readonly value: string }): Promise<void>
  /** Sends one request, or two if no retention is in force. */
  lockOf(version: VersionRef, now: Timestamp): Promise<VersionLock>
}
