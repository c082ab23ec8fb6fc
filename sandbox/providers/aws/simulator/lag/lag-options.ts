import type { ChoiceSeed } from '../seeded.ts'

/**
 * Eventual consistency of EC2, IAM, EFS, load balancers, and S3's buckets. A call is served by one of several
 * endpoints, and each of them sees each write after a time of its own. So a call may not see what an earlier call has
 * seen. Calls with the operator's key see all writes.
 */
export interface LagOptions {
  readonly seed: ChoiceSeed
  /** The longest time until all calls see a write, in ms. Default: 90,000. */
  readonly most?: number
  /** The shortest time. Default: 0. */
  readonly least?: number
  /** The services that are behind: `elasticfilesystem`. Default: all that are eventually consistent. */
  readonly services?: readonly string[]
}
