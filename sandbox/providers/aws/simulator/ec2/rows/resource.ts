import type { Timestamp } from '../../../../../../shared/clock/clock.ts'

/*
 * Everything that EC2 keeps of an account in a region: plain JSON data. A row is never changed in place but
 * replaced as a whole, so that the indexes of its table cannot go stale. What moves with time (`pending`,
 * `available`) is not stored: it follows from the times in the row and the clock.
 */

export interface Ec2Tag {
  readonly Key: string
  readonly Value: string
}

/** What every resource has. */
export interface Ec2Resource {
  readonly id: string
  /** Order of creation in the region; lists are in this order. */
  readonly sequence: number
  readonly createdAt: Timestamp
  readonly tags: readonly Ec2Tag[]
  /** From then on EC2 knows nothing of it any more. */
  readonly goneAt?: Timestamp | undefined
}
