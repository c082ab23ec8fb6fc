import type { BucketRetention } from './bucket.ts'

/** What a BackupBucket asks for, beside what every bucket of Trellis has. */
export interface DesiredBucket {
  readonly name: string
  readonly region: string
  /** Undefined: new objects are not locked. */
  readonly retention: BucketRetention | undefined
}
