import type { Clock } from '../../../../shared/clock/clock.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { createAccess } from '../../../../terraform-free-infra/aws/account/credentials/access.ts'
import { readCredentials } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'
import { stepError } from '../../../../terraform-free-infra/aws/account/errors/step-error.ts'
import { createAccountCalls } from './account-calls.ts'
import type { PlannedChange, RecordAction } from './plan.ts'
import { NotYetError } from './rate-limit.ts'
import { isUnread, type RecordRequest, recordIn, type StepCalls, type ZoneRemoval } from './record-in-zone.ts'
import type { HostedZone } from './route53.ts'
import {
  bareId,
  chooseZone,
  formerZones,
  knownZones,
  namedZone,
  noZone,
  type RecordZone,
  zonesToClear,
} from './zones.ts'

export type { DesiredRecord, IpStack, RecordAction } from './plan.ts'
export { NotYetError } from './rate-limit.ts'
export type { RecordRequest, ZoneRemoval } from './record-in-zone.ts'
export type { HostedZone, RecordSet } from './route53.ts'
export { recordedIn, stateOf, zoneProblems, zonesToClear } from './zones.ts'

export interface DnsOptions {
  readonly connection: AwsConnection
  readonly clock: Clock
}

export interface RecordPlan {
  /** The hosted zone. Undefined: there is none, and a deletion has nothing to do. */
  readonly zone: string | undefined
  readonly actions: readonly RecordAction[]
}

export interface RecordReconciled {
  readonly zone: string
  /** The zones from which it was chosen, if there were several of the same name. */
  readonly among: readonly HostedZone[]
  readonly changes: readonly PlannedChange[]
  /** The removals from the other zones that might contain the record. */
  readonly former: readonly ZoneRemoval[]
}

/**
 * Records in Route 53. Errors are `CodedError`s, `AwsError`s that name the current action, and `RequeueAfterError`s. No
 * error contains a secret. Throws a `NotYetError` if the step must wait for its turn.
 */
export interface Dns {
  /**
   * Returns the changes that `reconcile` would make, or `remove` if `destroy` is true. Makes the same reads and changes
   * nothing.
   */
  plan(request: RecordRequest, options?: { readonly destroy?: boolean }): Promise<RecordPlan>
  /**
   * Reconciles the record. Costs one read, and one change if something differs; a new record of most types only the
   * change. If the object names no zone, it first lists hosted zones, 100 per request. At the end it removes the record
   * from all other zones that may contain it.
   */
  reconcile(request: RecordRequest): Promise<RecordReconciled>
  /**
   * Removes the record with any values from every zone that may contain it. A failure in one zone does not stop the
   * others. Empty: no zone could contain it.
   */
  remove(request: RecordRequest): Promise<readonly ZoneRemoval[]>
}

/** Throws a `CodedError` if a Secret contains no usable Route 53 credentials. */
export const checkSecret = async (secret: Secret): Promise<void> => {
  await readCredentials(secret, { dnsKeys: true })
}

/** Creates the `Dns` of a process. Connections, workload identity sessions and rate limits are reused between steps. */
export const createDns = (options: DnsOptions): Dns => {
  const open = createOpen(options)
  return {
    plan: async (request, { destroy = false } = {}) => {
      const record = await open(request, destroy ? removalCalls(request) : reconcileCalls(request))
      const zone = destroy ? undefined : await zoneOf(request, record)
      const actions = zone === undefined ? [] : await record.plan(zone)
      const cleared = await (zone === undefined
        ? eachZone(await zonesOfRemoval(request, record), at =>
            record.planRemoval(at, isCurrent(at, request)),
          )
        : eachZone(formerZones(zone, request.zones), at => record.planRemoval(at, false)))
      const removals = cleared.flatMap(removal => {
        if (removal.kind === 'failed') throw removal.error
        return removal.kind === 'removed' ? [removal] : []
      })
      return {
        zone: zone?.id ?? removals.at(-1)?.zone,
        actions: [...actions, ...removals.flatMap(({ changes }) => changes)],
      }
    },

    reconcile: async request => {
      const record = await open(request, reconcileCalls(request))
      const zone = await zoneOf(request, record)
      const known = knownZones(request.zones)
      if (!known.includes(bareId(zone.id))) await request.saveZones?.([...known, zone.id])
      const changes = await record.apply(zone)
      const former = await eachZone(formerZones(zone, request.zones), at => record.remove(at, false))
      for (const removal of former) if (removal.kind === 'failed') throw removal.error
      return { zone: zone.id, among: zone.among ?? [], changes, former }
    },

    remove: async request => {
      const record = await open(request, removalCalls(request))
      return eachZone(await zonesOfRemoval(request, record), at => record.remove(at, isCurrent(at, request)))
    },
  }
}

type RecordWork = ReturnType<typeof recordIn>

/** Returns the zone that the object names, or the zone of the account that contains the name. */
const zoneOf = async ({ desired, zones, isRestored = false }: RecordRequest, record: RecordWork) => {
  const zone =
    namedZone(zones, isRestored) ?? chooseZone(desired.name, await record.listZones(), knownZones(zones))
  if (zone === undefined) throw noZone(desired.name)
  return zone
}

const zonesOfRemoval = async ({ desired, zones }: RecordRequest, record: RecordWork) => {
  const named = zonesToClear(zones)
  if (named.length > 0) return named
  const chosen = chooseZone(desired.name, await record.listZones())
  return chosen === undefined ? [] : [chosen]
}

/** Returns true for the zone that contains the record after a success, and for a chosen one. */
const isCurrent = ({ id }: RecordZone, { zones }: RecordRequest): boolean => {
  const named = namedZone(zones, true)
  return named === undefined || bareId(named.id) === bareId(id)
}

const eachZone = async <R>(zones: readonly RecordZone[], work: (zone: RecordZone) => Promise<R>) => {
  const results: R[] = []
  for (const zone of zones) results.push(await work(zone))
  return results
}

/** The calls of a step: a list of zones if the object names none, and in each zone a read and a change. */
const reconcileCalls = (request: RecordRequest): number => {
  const named = namedZone(request.zones, request.isRestored ?? false)
  const own = request.complete || isUnread(request) ? 1 : 2
  return named === undefined ? 1 + own : own + 2 * formerZones(named, request.zones).length
}

const removalCalls = ({ zones }: RecordRequest): number => 2 * zonesToClear(zones).length || 3

/**
 * The region of Route 53 if neither the object nor the Secret names one
 * (docs/contract/provider-aws.md#region-of-route-53).
 */
const defaultRegion = 'us-west-2'

const createOpen = ({ connection, clock }: DnsOptions) => {
  const accessTo = createAccess(connection, clock)
  const callsFor = createAccountCalls(connection.route53PerSecond, clock)

  /** @param count the calls of the step */
  return async (request: RecordRequest, count: number): Promise<RecordWork> => {
    const { secret, region, signal, throwIfExpired } = request
    const access = await accessTo({ secret, region, defaultRegion, dnsKeys: true, signal })
    const run: StepCalls['run'] = async (doing, call) => {
      try {
        return await call()
      } catch (thrown) {
        if (thrown instanceof NotYetError) throw thrown
        throw stepError(thrown, { doing, secrets: access.secrets, signal })
      }
    }
    return recordIn(request, { ...callsFor(access, count, signal, throwIfExpired), run })
  }
}
