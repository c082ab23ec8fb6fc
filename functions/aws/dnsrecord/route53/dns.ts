import type { Clock } from '../../../../shared/clock/clock.ts'
import { RequeueAfterError } from '../../../../shared/contract/errors.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { createAccess } from '../../../../terraform-free-infra/aws/account/credentials/access.ts'
import { readCredentials } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'
import { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { stepError } from '../../../../terraform-free-infra/aws/account/errors/step-error.ts'
import {
  isAlreadyGone,
  isChangedMeanwhile,
  isMissingZone,
  listedZone,
  type NamedZones,
  namedZone,
  noZone,
  type RecordZone,
  zoneError,
} from './hosted-zone.ts'
import { type DesiredRecord, type PlannedChange, planActions, type RecordAction, windowFor } from './plan.ts'
import {
  createRateLimiter,
  type RateLimitOptions,
  type Reservation,
  type ReservationRequest,
} from './rate-limit.ts'
import { type Route53, sdkRoute53 } from './route53.ts'

export { zoneProblems } from './hosted-zone.ts'
export type { DesiredRecord, IpStack, RecordAction } from './plan.ts'
export { NotYetError } from './rate-limit.ts'
export type { RecordSet } from './route53.ts'

export interface DnsOptions {
  readonly connection: AwsConnection
  readonly clock: Clock
  /** Of one set of credentials. */
  readonly limits: RateLimitOptions
}

/** A record of one object, and what it takes to reach Route 53 for it, for one step. */
export interface RecordRequest {
  readonly desired: DesiredRecord
  readonly zones: NamedZones
  /** By which it keeps its place among those who wait for Route 53, from step to step. */
  readonly key: string
  /** Of the spec; goes before the one of the Secret. */
  readonly region: string | undefined
  readonly secret: Secret | undefined
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
  /** It goes on, and has waited for its turn, be it in the queue of a process that is gone. */
  readonly resumed: boolean
  /** What is wanted was made before, so that most likely nothing differs: half the wait for many at once. */
  readonly settled: boolean
}

export interface RecordPlan {
  /** The hosted zone; undefined: there is none, and of a deletion nothing is left to do. */
  readonly zone: string | undefined
  readonly actions: readonly RecordAction[]
}

/** How a removal ended. `no zone`: no zone could hold the record. `zone gone`: a zone takes its records along. */
export type RecordRemoved =
  | { readonly kind: 'no zone' }
  | { readonly kind: 'zone gone'; readonly zone: string }
  /** Without changes: there was nothing. */
  | { readonly kind: 'removed'; readonly zone: string; readonly changes: readonly PlannedChange[] }

/**
 * Records in Route 53. Errors are `CodedError`s, `AwsError`s that name what was being done, and `RequeueAfterError`s; none
 * holds a secret. Changing and removing throw a `NotYetError` when the step has to come back for its turn.
 */
export interface Dns {
  /** What `reconcile`, or with `destroy` `remove`, would change. Of the same reads, and changes nothing. */
  plan(request: RecordRequest, options?: { readonly destroy?: boolean }): Promise<RecordPlan>
  /**
   * Makes the record as it is desired. Costs one read, and one change when something differs; before, a page of 100
   * hosted zones per request as long as the object names no zone.
   */
  reconcile(
    request: RecordRequest,
  ): Promise<{ readonly zone: string; readonly changes: readonly PlannedChange[] }>
  /** Removes the record as it is there, whatever its values. */
  remove(request: RecordRequest): Promise<RecordRemoved>
}

/** Throws a `CodedError` when a Secret holds no credentials that can be used for Route 53. */
export const checkSecret = async (secret: Secret): Promise<void> => {
  await readCredentials(secret, { dnsKeys: true })
}

/** Make one per process: connections, sessions of workload identities and rate limits outlive the steps. */
export const createDns = (options: DnsOptions): Dns => {
  const connect = createConnect(options)
  return {
    plan: async (request, { destroy = false } = {}) => {
      const account = await connect(request)
      const zone = await zoneOf(request, account)
      if (zone === undefined) {
        if (destroy) return { zone: undefined, actions: [] }
        throw noZone(request.desired.name)
      }
      try {
        return { zone: zone.id, actions: await planIn(zone, request, account, destroy) }
      } catch (error) {
        if (destroy && error instanceof AwsError && isMissingZone(error))
          return { zone: undefined, actions: [] }
        throw error
      }
    },

    reconcile: async request => {
      const account = await connect(request)
      const calls = request.settled ? 1 : mostCalls
      const reserved = await account.reserve({ calls })
      const zone = await zoneOf(request, account)
      if (zone === undefined) {
        reserved.release(calls)
        throw noZone(request.desired.name)
      }
      const changes = await planIn(zone, request, account, false)
      if (changes.length === 0) {
        reserved.release(calls - 1)
      } else {
        if (request.settled) await account.reserve({ calls: 1, callsLater: mostCalls, waited: true })
        await account.run(
          `changing the records ${whereOf(request, zone)}`,
          () => account.route53.changeRecordSets(zone.id, changes, request.signal),
          error => zoneError(error, zone.origin),
        )
      }
      return { zone: zone.id, changes }
    },

    remove: async request => {
      const account = await connect(request)
      const reserved = await account.reserve({ calls: mostCalls })
      const zone = await zoneOf(request, account)
      if (zone === undefined) {
        reserved.release(mostCalls)
        return { kind: 'no zone' }
      }
      try {
        return { kind: 'removed', zone: zone.id, changes: await removeFrom(zone, request, account, reserved) }
      } catch (error) {
        if (error instanceof AwsError && isMissingZone(error)) return { kind: 'zone gone', zone: zone.id }
        throw error
      }
    },
  }
}

/** The zone that the object names, else the one of the account that holds the name; undefined: there is none. */
const zoneOf = async (
  { desired: { name }, zones, signal }: RecordRequest,
  { route53, run }: Route53Account,
): Promise<RecordZone | undefined> =>
  namedZone(zones) ??
  (await run(`choosing the hosted zone of ${name}`, () => listedZone(name, route53, signal)))

/** Reads what is there of a record, and plans what makes it as desired or, with `destroy`, takes it away. */
const planIn = async (
  zone: RecordZone,
  request: RecordRequest,
  { route53, run }: Route53Account,
  destroy: boolean,
): Promise<readonly RecordAction[]> => {
  const { desired, signal } = request
  const observed = await run(
    `reading the records ${whereOf(request, zone)}`,
    () => route53.listRecordSets(zone.id, windowFor(desired), signal),
    error => (destroy ? undefined : zoneError(error, zone.origin)),
  )
  return planActions(desired, observed, destroy)
}

const whereOf = ({ desired }: RecordRequest, { id }: RecordZone): string =>
  `of ${desired.name} in hosted zone ${id}`

/** Looks at the records and at what somebody else made of them in between, so many times in one step. */
const mostReads = 2

/** The changes that were made; none where there was nothing, or where somebody else was faster. */
const removeFrom = async (
  zone: RecordZone,
  request: RecordRequest,
  account: Route53Account,
  first: Reservation,
): Promise<readonly PlannedChange[]> => {
  const { reserve, run, route53 } = account
  for (let reads = 1; ; reads++) {
    const reserved = reads === 1 ? first : await reserve({ calls: mostCalls, waited: true })
    const changes = await planIn(zone, request, account, true)
    if (changes.length === 0) {
      reserved.release(1)
      return []
    }
    try {
      await run(`deleting the records ${whereOf(request, zone)}`, () =>
        route53.changeRecordSets(zone.id, changes, request.signal),
      )
      return changes
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      // A batch is all or nothing: only when it was about one record set, "not found" means that all is gone.
      if (isAlreadyGone(error) && changes.length === 1) return []
      if (reads === mostReads || !(isAlreadyGone(error) || isChangedMeanwhile(error))) throw error
    }
  }
}

/** Limited calls of a step: a read and a change. */
const mostCalls = 2

/**
 * Where Route 53 is called when neither the object nor the Secret names a region
 * (docs/contract/provider-aws.md#region-of-route-53).
 */
const defaultRegion = 'us-west-2'

/** Route 53 with the credentials of one record, for one step. */
interface Route53Account {
  readonly route53: Route53
  /** Waits for the rate limit; throws a `NotYetError` when the step has to come back for its turn. */
  readonly reserve: (request: Omit<ReservationRequest, 'identity' | 'key'>) => Promise<Reservation>
  /**
   * Runs a call. What it throws names what was being done and holds no secret. Calls that AWS holds back come again one
   * after the other.
   */
  readonly run: <T>(
    doing: string,
    call: () => Promise<T>,
    explain?: (error: AwsError) => Error | undefined,
  ) => Promise<T>
}

const createConnect = ({ connection, limits, clock }: DnsOptions) => {
  const open = createAccess(connection, clock)
  const limiter = createRateLimiter(limits, clock)

  return async ({
    secret,
    region,
    key,
    signal,
    throwIfExpired,
    resumed,
  }: RecordRequest): Promise<Route53Account> => {
    const { identity, secrets, settings } = await open({
      secret,
      region,
      defaultRegion,
      dnsKeys: true,
      signal,
    })
    const place = { identity, key }
    return {
      route53: sdkRoute53(settings, throwIfExpired),
      reserve: request => limiter.acquire({ waited: resumed, ...request, ...place }, signal),
      run: async (doing, call, explain) => {
        try {
          return await call()
        } catch (thrown) {
          const error = stepError(thrown, { doing, secrets, signal, ...(explain && { explain }) })
          if (!(error instanceof RequeueAfterError)) throw error
          throw new RequeueAfterError(
            error.cause,
            limiter.postpone({ ...place, calls: mostCalls }, error.delayMs),
          )
        }
      },
    }
  }
}
