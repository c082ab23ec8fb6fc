import type { Clock } from '../../../../shared/clock/clock.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { createAccess } from '../../../../terraform-free-infra/aws/account/credentials/access.ts'
import { readCredentials } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'
import { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { stepError } from '../../../../terraform-free-infra/aws/account/errors/step-error.ts'
import { createQueuedCalls, directCalls, type RecordCalls } from './account-calls.ts'
import {
  type DesiredRecord,
  formerZone,
  isAlreadyGone,
  isChangedMeanwhile,
  isMissingZone,
  isUnreachableZone,
  listedZone,
  type NamedZones,
  namedZone,
  noZone,
  type PlannedChange,
  planActions,
  type RecordAction,
  type RecordZone,
  windowFor,
  zoneError,
} from './plan.ts'
import { NotYetError } from './rate-limit.ts'

export type { DesiredRecord, IpStack, RecordAction } from './plan.ts'
export { zoneProblems } from './plan.ts'
export { NotYetError } from './rate-limit.ts'
export type { RecordSet } from './route53.ts'

export interface DnsOptions {
  readonly connection: AwsConnection
  readonly clock: Clock
}

export interface RecordRequest {
  readonly desired: DesiredRecord
  readonly zones: NamedZones
  /** The key of its place in the queue for Route 53, stable between steps. */
  readonly key: string
  /** `spec.region`. Overrides the region in the Secret. */
  readonly region: string | undefined
  readonly secret: Secret | undefined
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
  /** True if the step resumes after waiting for its turn, possibly in the queue of an earlier process. */
  readonly resumed: boolean
  /**
   * True if the desired state was applied before, so a change is unlikely. Halves the wait of many records at once.
   */
  readonly complete: boolean
}

export interface RecordPlan {
  /** The hosted zone. Undefined: there is none, and a deletion has nothing to do. */
  readonly zone: string | undefined
  readonly actions: readonly RecordAction[]
}

/**
 * The result of a removal. `no zone`: no zone could contain the record. `zone gone`: the zone was deleted with its
 * records.
 */
export type RecordRemoved =
  | { readonly kind: 'no zone' }
  | { readonly kind: 'zone gone'; readonly zone: string }
  /** Without changes: there was no record. */
  | { readonly kind: 'removed'; readonly zone: string; readonly changes: readonly PlannedChange[] }

/**
 * Records in Route 53. Errors are `CodedError`s, `AwsError`s that name the current action, and `RequeueAfterError`s. No
 * error contains a secret. `reconcile` and `remove` throw a `NotYetError` if the step must wait for its turn.
 */
export interface Dns {
  /**
   * Returns the changes that `reconcile` would make, or `remove` if `destroy` is true. Makes the same reads and changes
   * nothing.
   */
  plan(request: RecordRequest, options?: { readonly destroy?: boolean }): Promise<RecordPlan>
  /**
   * Reconciles the record. Costs one read, and one change if something differs. If the object names no zone, it first
   * lists hosted zones, 100 per request. If the object names another zone than before, the record moves: it is created in
   * the new zone, then removed from the former one, unless that was deleted or belongs to another account.
   */
  reconcile(
    request: RecordRequest,
  ): Promise<{ readonly zone: string; readonly changes: readonly PlannedChange[] }>
  /** Removes the record with any values. */
  remove(request: RecordRequest): Promise<RecordRemoved>
}

/** Throws a `CodedError` if a Secret contains no usable Route 53 credentials. */
export const checkSecret = async (secret: Secret): Promise<void> => {
  await readCredentials(secret, { dnsKeys: true })
}

/**
 * Creates the `Dns` of a process. Connections, workload identity sessions and rate limits are reused between steps.
 */
export const createDns = (options: DnsOptions): Dns => {
  const connect = createConnect(options)
  return {
    plan: async (request, { destroy = false } = {}) => {
      const { direct: calls } = await connect(request)
      const zone = await zoneOf(request, calls)
      if (zone === undefined) {
        if (destroy) return { zone: undefined, actions: [] }
        throw noZone(request.desired.name)
      }
      try {
        const actions = await planIn(zone, request, calls, destroy)
        const former = await inFormerZone(zone, request, at => planIn(at, request, calls, true))
        return { zone: zone.id, actions: [...actions, ...former] }
      } catch (error) {
        if (destroy && error instanceof AwsError && isMissingZone(error))
          return { zone: undefined, actions: [] }
        throw error
      }
    },

    reconcile: async request => {
      const { queued } = await connect(request)
      return queued(request.complete ? 1 : mostCallsOf(request), async calls => {
        const zone = await zoneOf(request, calls)
        if (zone === undefined) throw noZone(request.desired.name)
        const changes = await planIn(zone, request, calls, false)
        if (changes.length > 0)
          await calls.run(
            `changing the records ${whereOf(request, zone)}`,
            () => calls.changeRecordSets(zone.id, changes),
            error => zoneError(error, zone.origin),
          )
        const former = await inFormerZone(zone, request, at => removeFrom(at, request, calls))
        return { zone: zone.id, changes: [...changes, ...former] }
      })
    },

    remove: async request => {
      const { queued } = await connect(request)
      return queued(mostCallsOf(request), async calls => {
        const zone = await zoneOf(request, calls)
        if (zone === undefined) return { kind: 'no zone' }
        const former = await inFormerZone(zone, request, at => removeFrom(at, request, calls))
        try {
          const changes = [...former, ...(await removeFrom(zone, request, calls))]
          return { kind: 'removed', zone: zone.id, changes }
        } catch (error) {
          if (error instanceof AwsError && isMissingZone(error)) return { kind: 'zone gone', zone: zone.id }
          throw error
        }
      })
    },
  }
}

/** Returns the zone that the object names, or the zone of the account that contains the name. Undefined: none. */
const zoneOf = async (
  { desired: { name }, zones }: RecordRequest,
  calls: StepCalls,
): Promise<RecordZone | undefined> =>
  namedZone(zones) ??
  (await calls.run(`choosing the hosted zone of ${name}`, async () =>
    listedZone(name, await calls.listHostedZones()),
  ))

/** Returns the changes of `work` in the zone that the record moved away from; none if it did not move. */
const inFormerZone = async <C>(
  zone: RecordZone,
  { zones }: RecordRequest,
  work: (former: RecordZone) => Promise<readonly C[]>,
): Promise<readonly C[]> => {
  const former = formerZone(zone, zones)
  if (former === undefined) return []
  try {
    return await work(former)
  } catch (error) {
    if (error instanceof AwsError && isUnreachableZone(error)) return []
    throw error
  }
}

/** Reads a record and plans its changes, or with `destroy` its removal. */
const planIn = async (
  zone: RecordZone,
  request: RecordRequest,
  calls: StepCalls,
  destroy: boolean,
): Promise<readonly RecordAction[]> => {
  const observed = await calls.run(
    `reading the records ${whereOf(request, zone)}`,
    () => calls.listRecordSets(zone.id, windowFor(request.desired), destroy),
    error => (destroy ? undefined : zoneError(error, zone.origin)),
  )
  return planActions(request.desired, observed, destroy)
}

const whereOf = ({ desired }: RecordRequest, { id }: RecordZone): string =>
  `of ${desired.name} in hosted zone ${id}`

/** Maximum reads of the records in one step, if they change meanwhile. */
const mostReads = 2

/** Returns the applied changes. Empty if there was no record or another client was faster. */
const removeFrom = async (
  zone: RecordZone,
  request: RecordRequest,
  calls: StepCalls,
): Promise<readonly PlannedChange[]> => {
  for (let reads = 1; ; reads++) {
    const changes = await planIn(zone, request, calls, true)
    if (changes.length === 0) return []
    try {
      await calls.run(`deleting the records ${whereOf(request, zone)}`, () =>
        calls.changeRecordSets(zone.id, changes),
      )
      return changes
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      // A batch is all or nothing. "Not found" proves that everything is gone only if the batch had a single record
      // set.
      if (isAlreadyGone(error) && changes.length === 1) return []
      if (reads === mostReads || !(isAlreadyGone(error) || isChangedMeanwhile(error))) throw error
    }
  }
}

/** Rate-limited calls of a step: a read and a change, in each of its zones. */
const mostCallsOf = ({ zones: { spec, status } }: RecordRequest): number =>
  spec !== undefined && status !== undefined && spec !== status ? 4 : 2

/**
 * The region of Route 53 if neither the object nor the Secret names one
 * (docs/contract/provider-aws.md#region-of-route-53).
 */
const defaultRegion = 'us-west-2'

interface StepCalls extends RecordCalls {
  /** Runs a call. Errors name the current action and contain no secret. */
  readonly run: <T>(
    doing: string,
    call: () => Promise<T>,
    explain?: (error: AwsError) => Error | undefined,
  ) => Promise<T>
}

interface Route53Account {
  readonly direct: StepCalls
  /** Runs work whose calls wait for their turn. Throws a `NotYetError` if the step must return later. */
  readonly queued: <T>(calls: number, work: (calls: StepCalls) => Promise<T>) => Promise<T>
}

const createConnect = ({ connection, clock }: DnsOptions) => {
  const open = createAccess(connection, clock)
  const inQueue = createQueuedCalls(connection.route53PerSecond, clock)

  return async ({
    secret,
    region,
    key,
    signal,
    throwIfExpired,
    resumed,
  }: RecordRequest): Promise<Route53Account> => {
    const access = await open({ secret, region, defaultRegion, dnsKeys: true, signal })
    const step = { access, key, resumed, signal, throwIfExpired }
    const run: StepCalls['run'] = async (doing, call, explain) => {
      try {
        return await call()
      } catch (thrown) {
        if (thrown instanceof NotYetError) throw thrown
        throw stepError(thrown, { doing, secrets: access.secrets, signal, ...(explain && { explain }) })
      }
    }
    return {
      direct: { ...directCalls(step), run },
      queued: (calls, work) => inQueue(step, calls, own => work({ ...own, run })),
    }
  }
}
