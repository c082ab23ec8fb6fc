import type { Timestamp } from '../../../../../../shared/clock/clock.ts'

/*
 * EC2's state of an account in a region: plain JSON data. A row is never changed in place but replaced as a whole, so
 * the indexes of its table stay correct. States that depend on time (`pending`, `available`) are not stored but derived
 * from the times in the row and the clock.
 */

export interface Ec2Tag {
  readonly Key: string
  readonly Value: string
}

/** The fields that every resource has. */
export interface Ec2Resource {
  readonly id: string
  /** Order of creation in the region. Lists have this order. */
  readonly sequence: number
  readonly createdAt: Timestamp
  readonly tags: readonly Ec2Tag[]
  /** The time when EC2 forgets the resource. */
  readonly goneAt?: Timestamp | undefined
}
