import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import { seeded } from '../seeded.ts'
import type { LagOptions } from './lag-options.ts'

/** One of the endpoints of a service. Each sees a write after a time of its own. */
export interface Endpoint {
  /** Returns the time in ms until it sees a write to a row. Infinity: it does not know the row. */
  delay(id: string, at: Timestamp): number
  /** Returns true for a row that it does not know, whenever that was written. */
  hides?(id: string): boolean
  /** The time in ms for which the rows before a write are kept. */
  readonly remembers: number
}

export interface Endpoints {
  /** Returns the endpoint of the next call to a service. */
  next(service: string): Endpoint
  /** Sees all writes. */
  readonly current: Endpoint
  /** Sees no recent write. */
  readonly behind: Endpoint
}

/**
 * The eventually consistent services: EC2 ("Eventual consistency in the Amazon EC2 API", EC2 developer guide), IAM
 * ("Changes that I make are not always immediately visible", IAM user guide), and the buckets of S3 with their settings
 * ("Amazon S3 data consistency model", S3 user guide: "Bucket configurations have an eventual consistency model").
 * Nothing is documented for EFS and load balancers, and both read EC2. Route 53 lists "the most current version of the
 * records" ("ListResourceRecordSets", Route 53 API reference).
 */
const eventual: readonly string[] = ['ec2', 'elasticfilesystem', 'elb', 'elbv2', 'iam', 's3']

/** Enough for calls of one listing to be served by different endpoints. */
const count = 3

/** Without a lag, an endpoint is behind only for listings that show an item twice. */
const usuallyBehind = 60_000

export const createEndpoints = (
  lag: LagOptions | undefined,
  listingsRepeat: boolean,
): Endpoints | undefined => {
  if (lag === undefined && !listingsRepeat) return undefined
  const {
    seed = '',
    most = usuallyBehind,
    least = 0,
    services = eventual,
  } = lag === undefined ? {} : { most: 90_000, ...lag }
  const remembers = most
  const current: Endpoint = { delay: () => 0, remembers }
  const numbered = Array.from(
    { length: count },
    (_, number): Endpoint => ({
      remembers,
      // Half of the writes are visible at once, so that not all depends on waiting.
      delay: (id, at) =>
        seeded(seed, id, at) < 0.5
          ? least
          : least + Math.round((most - least) * seeded(seed, id, at, number)),
    }),
  )
  let calls = 0
  return {
    current,
    behind: { delay: () => most, remembers },
    next: service => {
      calls += 1
      const isLate = lag !== undefined && services.includes(service)
      return (isLate ? numbered[Math.floor(seeded(seed, calls) * count)] : undefined) ?? current
    },
  }
}

/** Returns an endpoint that also does not know some rows. `all`: it knows none. */
export const withoutRows = (endpoint: Endpoint | undefined, ids: ReadonlySet<string> | 'all'): Endpoint => {
  const hides = (id: string): boolean => ids === 'all' || ids.has(id)
  return {
    hides,
    delay: (id, at) => (hides(id) ? Number.POSITIVE_INFINITY : (endpoint?.delay(id, at) ?? 0)),
    remembers: endpoint?.remembers ?? 0,
  }
}
