import type { Clock } from '../../../../shared/clock/clock.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { createAccess } from '../../../../terraform-free-infra/aws/account/credentials/access.ts'
import { readCredentials } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'
import { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { stepError } from '../../../../terraform-free-infra/aws/account/errors/step-error.ts'
import { createAccountCalls, type RecordCalls } from './account-calls.ts'
import {
  type DesiredRecord,
  isWholeRecord,
  needsRead,
  type PlannedChange,
  planActions,
  planRecord,
  type RecordAction,
  windowFor,
} from './plan.ts'
import { NotYetError } from './rate-limit.ts'
import {
  isAlreadyGone,
  isChangedMeanwhile,
  isConflict,
  isDenied,
  isMissingZone,
  refusalOf,
} from './refusals.ts'
import type { HostedZone } from './route53.ts'
import {
  bareId,
  chooseZone,
  knownZones,
  type NamedZones,
  namedZone,
  noZone,
  type RecordZone,
  zonesToClear,
} from './zones.ts'

export type { DesiredRecord, IpStack, RecordAction } from './plan.ts'
export { NotYetError } from './rate-limit.ts'
export type { HostedZone, RecordSet } from './route53.ts'
export { recordedIn, stateOf, zoneProblems } from './zones.ts'

export interface DnsOptions {
  readonly connection: AwsConnection
  readonly clock: Clock
}

export interface RecordRequest {
  readonly desired: DesiredRecord
  readonly zones: NamedZones
  /** `spec.region`. Overrides the region in the Secret. */
  readonly region: string | undefined
  readonly secret: Secret | undefined
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
  /** True if the desired state was applied before, so a change is unlikely. Halves the wait of many records at once. */
  readonly complete: boolean
  /** True if another seed had the object, and its status is lost except for the state. Default: false. */
  readonly isRestored?: boolean
  /** Saves the zones that may contain the record. Called before the first change in another zone. */
  readonly saveZones?: (zones: readonly string[]) => Promise<void>
}

export interface RecordPlan {
  /** The hosted zone. Undefined: there is none, and a deletion has nothing to do. */
  readonly zone: string | undefined
  readonly actions: readonly RecordAction[]
}

/**
 * The removal of a record from one zone. `removed` without changes: there was no record. `zone gone`: the zone was deleted
 * with its records. `zone of others`: the zone is not in the account, so its record cannot be removed.
 */
export interface ZoneRemoval {
  readonly zone: string
  readonly kind: 'removed' | 'zone gone' | 'zone of others'
  readonly changes: readonly PlannedChange[]
}

export interface RecordReconciled {
  readonly zone: string
  /** The zones from which it was chosen, if there were several of the same name. */
  readonly among: readonly HostedZone[]
  readonly changes: readonly PlannedChange[]
  /** The removals from other zones. */
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
   * change. If the object names no zone, it first lists hosted zones, 100 per request. If another zone may contain the
   * record, it is then removed from there.
   */
  reconcile(request: RecordRequest): Promise<RecordReconciled>
  /** Removes the record with any values from every zone that may contain it. Empty: no zone could. */
  remove(request: RecordRequest): Promise<readonly ZoneRemoval[]>
}

/** Throws a `CodedError` if a Secret contains no usable Route 53 credentials. */
export const checkSecret = async (secret: Secret): Promise<void> => {
  await readCredentials(secret, { dnsKeys: true })
}

/**
 * Creates the `Dns` of a process. Connections, workload identity sessions and rate limits are reused between steps.
 */
export const createDns = (options: DnsOptions): Dns => {
  const open = createOpen(options)
  return {
    plan: async (request, { destroy = false } = {}) => {
      const calls = await open(request, destroy ? removalCalls(request) : reconcileCalls(request))
      const zone = destroy ? undefined : await zoneOf(request, calls)
      const actions = zone === undefined ? [] : await explained(zone, planIn(zone, request, calls, false))
      const cleared = await eachZone(
        zone === undefined ? await zonesOfRemoval(request, calls) : formerZones(zone, request),
        at =>
          clear(at, zone === undefined && isCurrent(at, request), request, calls, () =>
            planIn(at, request, calls, true),
          ),
      )
      const found = cleared.findLast(({ kind }) => kind === 'removed')
      return {
        zone: zone?.id ?? found?.zone,
        actions: [...actions, ...cleared.flatMap(({ changes }) => changes)],
      }
    },

    reconcile: async request => {
      const calls = await open(request, reconcileCalls(request))
      const zone = await zoneOf(request, calls)
      const known = knownZones(request.zones)
      if (!known.includes(bareId(zone.id))) await request.saveZones?.([...known, bareId(zone.id)])
      const changes = await explained(zone, applyIn(zone, request, calls))
      const former = await eachZone(formerZones(zone, request), at =>
        clear(at, false, request, calls, () => removeFrom(at, request, calls)),
      )
      return { zone: zone.id, among: zone.among ?? [], changes, former }
    },

    remove: async request => {
      const calls = await open(request, removalCalls(request))
      return eachZone(await zonesOfRemoval(request, calls), at =>
        clear(at, isCurrent(at, request), request, calls, () => removeFrom(at, request, calls)),
      )
    },
  }
}

/** Returns the zone that the object names, or the zone of the account that contains the name. */
const zoneOf = async (request: RecordRequest, calls: StepCalls): Promise<RecordZone> => {
  const { desired, zones, isRestored = false } = request
  const zone =
    namedZone(zones, isRestored) ??
    chooseZone(desired.name, await listZones(request, calls), knownZones(zones))
  if (zone === undefined) throw noZone(desired.name)
  return zone
}

const listZones = ({ desired }: RecordRequest, calls: StepCalls): Promise<readonly HostedZone[]> =>
  calls.run(`choosing the hosted zone of ${desired.name}`, () => calls.listHostedZones())

/** Returns the other zones that may contain the record. */
const formerZones = (zone: RecordZone, { zones }: RecordRequest): readonly RecordZone[] =>
  knownZones(zones)
    .filter(id => id !== bareId(zone.id))
    .map(id => ({ id, origin: 'status.state' }))

const zonesOfRemoval = async (request: RecordRequest, calls: StepCalls): Promise<readonly RecordZone[]> => {
  const named = zonesToClear(request.zones)
  if (named.length > 0) return named
  const chosen = chooseZone(request.desired.name, await listZones(request, calls))
  return chosen === undefined ? [] : [chosen]
}

const isCurrent = ({ id }: RecordZone, { zones }: RecordRequest): boolean => {
  const named = namedZone(zones, true)
  return named === undefined || bareId(named.id) === bareId(id)
}

/** Works in one zone after the other. An error in one does not stop the others, and is thrown at the end. */
const eachZone = async <R>(
  zones: readonly RecordZone[],
  work: (zone: RecordZone) => Promise<R>,
): Promise<readonly R[]> => {
  const results: R[] = []
  const errors: AwsError[] = []
  for (const zone of zones)
    try {
      results.push(await work(zone))
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      errors.push(error)
    }
  const [first] = errors
  if (first !== undefined) throw first
  return results
}

/**
 * Runs the removal from a zone. A zone that Route 53 does not find or does not show to these credentials is gone or of
 * others only if the zones of the account, which only the credentials decide, do not contain it. Otherwise a permission is
 * missing for a while, and the record must not be forgotten. Without access to its current zone, a record is never
 * forgotten: the credentials are wrong.
 */
const clear = async <C extends PlannedChange>(
  zone: RecordZone,
  isCurrentZone: boolean,
  request: RecordRequest,
  calls: StepCalls,
  removal: () => Promise<readonly C[]>,
): Promise<ZoneRemoval & { readonly changes: readonly C[] }> => {
  try {
    return { zone: zone.id, kind: 'removed', changes: await removal() }
  } catch (error) {
    if (!(error instanceof AwsError) || !(isMissingZone(error) || (isDenied(error) && !isCurrentZone)))
      throw error
    const listed = await listZones(request, calls).catch((refusal: unknown) => {
      if (isMissingZone(error) && refusal instanceof AwsError && isDenied(refusal)) return []
      throw refusal
    })
    if (listed.some(({ id }) => id === bareId(zone.id))) throw error
    return { zone: zone.id, kind: isMissingZone(error) ? 'zone gone' : 'zone of others', changes: [] }
  }
}

/** Reads a record and plans its changes, or with `destroy` its removal. */
const planIn = async (
  zone: RecordZone,
  request: RecordRequest,
  calls: StepCalls,
  destroy: boolean,
  isAlone = false,
): Promise<readonly RecordAction[]> => {
  const observed = await calls.run(`reading the records ${whereOf(request, zone)}`, () =>
    calls.listRecordSets(zone.id, windowFor(request.desired), isAlone),
  )
  return planActions(request.desired, observed, destroy)
}

const whereOf = ({ desired }: RecordRequest, { id }: RecordZone): string =>
  `of ${desired.name} in hosted zone ${id}`

/** Maximum reads of the records in one step, if they change meanwhile. */
const mostReads = 3

/** Returns the applied changes. Reads again if the record differs from what was read. */
const applyIn = async (
  zone: RecordZone,
  request: RecordRequest,
  calls: StepCalls,
): Promise<readonly PlannedChange[]> => {
  let changes: readonly PlannedChange[] = isUnread(request)
    ? planRecord(request.desired, [])
    : await planIn(zone, request, calls, false)
  for (let reads = 1; changes.length > 0; reads++) {
    const failed = await change(zone, request, calls, 'changing', changes)
    if (failed === undefined) return changes
    const isOutdated = isAlreadyGone(failed) || isChangedMeanwhile(failed) || isConflict(failed)
    const again = isOutdated && reads < mostReads ? await planIn(zone, request, calls, false, true) : changes
    if (sentencesOf(again) === sentencesOf(changes)) throw failed
    changes = again
  }
  return []
}

const sentencesOf = (changes: readonly PlannedChange[]): string =>
  changes.map(({ sentence }) => sentence).join()

/**
 * Returns the applied changes. Empty if there was no record or another client was faster. A list may omit a record set: one
 * that a step may have written counts as absent only after two lists without it.
 */
const removeFrom = async (
  zone: RecordZone,
  request: RecordRequest,
  calls: StepCalls,
): Promise<readonly PlannedChange[]> => {
  const mayExist = knownZones(request.zones).includes(bareId(zone.id))
  const removed: PlannedChange[] = []
  for (let reads = 1; ; reads++) {
    const changes = await planIn(zone, request, calls, true, reads > 1)
    if (changes.length === 0 && (reads > 1 || !mayExist)) return removed
    if (changes.length === 0) continue
    const failed = await change(zone, request, calls, 'deleting', changes)
    // A batch is all or nothing. "Not found" proves that everything is gone only if the batch had a single record set.
    const isGone = failed === undefined || (isAlreadyGone(failed) && changes.length === 1)
    if (!isGone && (reads >= mostReads || !(isAlreadyGone(failed) || isChangedMeanwhile(failed))))
      throw failed
    if (failed === undefined) removed.push(...changes)
    if (isGone && isWholeRecord(request.desired, changes)) return removed
  }
}

/** Sends one batch. Returns the error if AWS refuses it. */
const change = async (
  zone: RecordZone,
  request: RecordRequest,
  calls: StepCalls,
  doing: string,
  changes: readonly PlannedChange[],
): Promise<AwsError | undefined> => {
  try {
    await calls.run(`${doing} the records ${whereOf(request, zone)}`, () =>
      calls.changeRecordSets(zone.id, changes),
    )
    return undefined
  } catch (error) {
    if (error instanceof AwsError) return error
    throw error
  }
}

/** Returns the result. A refusal that only a user can mend becomes an error with advice. */
const explained = async <R>(zone: RecordZone, result: Promise<R>): Promise<R> => {
  try {
    return await result
  } catch (error) {
    throw (error instanceof AwsError && refusalOf(error, zone.origin)) || error
  }
}

/** Returns true if no step has written the record, and its change does not depend on what is there. */
const isUnread = ({ desired, zones, isRestored = false }: RecordRequest): boolean =>
  !isRestored && !needsRead(desired) && knownZones(zones).length === 0

/** The calls of a step: a list of zones, and in each zone a read and a change. */
const reconcileCalls = (request: RecordRequest): number => {
  const named = namedZone(request.zones, request.isRestored ?? false)
  const former = named === undefined ? 0 : formerZones(named, request).length
  return (named === undefined ? 1 : 0) + (request.complete || isUnread(request) ? 1 : 2) + 2 * former
}

const removalCalls = ({ zones }: RecordRequest): number => 2 * zonesToClear(zones).length || 3

/**
 * The region of Route 53 if neither the object nor the Secret names one
 * (docs/contract/provider-aws.md#region-of-route-53).
 */
const defaultRegion = 'us-west-2'

interface StepCalls extends RecordCalls {
  /** Runs a call. Errors name the current action and contain no secret. */
  readonly run: <T>(doing: string, call: () => Promise<T>) => Promise<T>
}

const createOpen = ({ connection, clock }: DnsOptions) => {
  const accessTo = createAccess(connection, clock)
  const callsFor = createAccountCalls(connection.route53PerSecond, clock)

  return async (
    { secret, region, signal, throwIfExpired }: RecordRequest,
    count: number,
  ): Promise<StepCalls> => {
    const access = await accessTo({ secret, region, defaultRegion, dnsKeys: true, signal })
    return {
      ...callsFor(access, count, signal, throwIfExpired),
      run: async (doing, call) => {
        try {
          return await call()
        } catch (thrown) {
          if (thrown instanceof NotYetError) throw thrown
          throw stepError(thrown, { doing, secrets: access.secrets, signal })
        }
      },
    }
  }
}
