import type { BucketRetention } from './bucket.ts'

/** The bucket that a BackupBucket requests, besides the settings that Trellis gives every bucket. */
export interface DesiredBucket {
  readonly name: string
  readonly region: string
  /** Undefined: new objects are not locked. */
  readonly retention: BucketRetention | undefined
}
