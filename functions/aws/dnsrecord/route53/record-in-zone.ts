import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { RecordCalls } from './account-calls.ts'
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
import {
  isAlreadyGone,
  isChangedMeanwhile,
  isConflict,
  isDenied,
  isMissingZone,
  refusalOf,
} from './refusals.ts'
import type { HostedZone } from './route53.ts'
import { bareId, knownZones, type NamedZones, type RecordZone } from './zones.ts'

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

export interface StepCalls extends RecordCalls {
  /** Runs a call. Errors name the current action and contain no secret. */
  readonly run: <T>(doing: string, call: () => Promise<T>) => Promise<T>
}

/**
 * The removal of a record from one zone. `removed` without changes: there was no record. `zone gone`: the zone was deleted
 * with its records. `zone of others`: the zone is not in the account, so its record cannot be removed.
 */
export type ZoneRemoval<C = PlannedChange> = { readonly zone: string } & (
  | { readonly kind: 'removed'; readonly changes: readonly C[] }
  | { readonly kind: 'zone gone' | 'zone of others' }
  | { readonly kind: 'failed'; readonly error: AwsError }
)

/** Maximum reads of a record in one step, if it changes meanwhile. */
const mostReads = 3

/** Returns true if no step has written the record, and its change does not depend on what is there. */
export const isUnread = ({ desired, zones, isRestored = false }: RecordRequest): boolean =>
  !isRestored && !needsRead(desired) && knownZones(zones).length === 0

/** Works on a record in one zone at a time, with the calls of one step. */
export const recordIn = (request: RecordRequest, calls: StepCalls) => {
  const { desired, zones } = request
  const where = ({ id }: RecordZone) => `the records of ${desired.name} in hosted zone ${id}`

  const list = (): Promise<readonly HostedZone[]> =>
    calls.run(`choosing the hosted zone of ${desired.name}`, () => calls.listHostedZones())

  /** Reads the record and plans its changes, or with `destroy` its removal. */
  const read = async (zone: RecordZone, destroy: boolean, isAlone = false) => {
    const observed = await calls.run(`reading ${where(zone)}`, () =>
      calls.listRecordSets(zone.id, windowFor(desired), isAlone),
    )
    return planActions(desired, observed, destroy)
  }

  /** Sends one batch. Returns the error if AWS refuses it. */
  const change = async (
    zone: RecordZone,
    doing: string,
    changes: readonly PlannedChange[],
  ): Promise<AwsError | undefined> => {
    try {
      await calls.run(`${doing} ${where(zone)}`, () => calls.changeRecordSets(zone.id, changes))
      return undefined
    } catch (error) {
      if (error instanceof AwsError) return error
      throw error
    }
  }

  /** Returns the applied changes. Reads again if the record differs from what was read. */
  const applyUnexplained = async (zone: RecordZone): Promise<readonly PlannedChange[]> => {
    let changes: readonly PlannedChange[] = isUnread(request)
      ? planRecord(desired, [])
      : await read(zone, false)
    for (let reads = 1; changes.length > 0; reads++) {
      const failed = await change(zone, 'changing', changes)
      if (failed === undefined) return changes
      const isOutdated = isAlreadyGone(failed) || isChangedMeanwhile(failed) || isConflict(failed)
      const again = isOutdated && reads < mostReads ? await read(zone, false, true) : changes
      if (sentencesOf(again) === sentencesOf(changes)) throw failed
      changes = again
    }
    return changes
  }

  /**
   * Returns the applied deletions. None if there was no record, or another client was faster. A list may omit a record set:
   * one that a step may have written counts as absent after two lists without it.
   */
  const deleteFrom = async (zone: RecordZone): Promise<readonly PlannedChange[]> => {
    const proof = knownZones(zones).includes(bareId(zone.id)) ? 2 : 1
    const deleted: PlannedChange[] = []
    for (let reads = 1, absent = 0; absent < proof; reads++) {
      const changes = await read(zone, true, reads > 1)
      const failed = changes.length === 0 ? undefined : await change(zone, 'deleting', changes)
      // A batch is all or nothing. "Not found" proves that everything is gone only if the batch had a single record set.
      const isGone = failed === undefined || (isAlreadyGone(failed) && changes.length === 1)
      if (!isGone && (reads >= mostReads || !(isAlreadyGone(failed) || isChangedMeanwhile(failed))))
        throw failed
      if (failed === undefined) deleted.push(...changes)
      if (changes.length > 0 && isGone && isWholeRecord(desired, changes)) break
      absent = changes.length === 0 ? absent + 1 : isGone ? 1 : 0
    }
    return deleted
  }

  /**
   * Runs the removal from a zone that Route 53 may not find, or not show to these credentials. It is gone or of others only
   * if the zones of the account, which the credentials alone decide, do not contain it. Otherwise a permission is missing
   * for a while, and the record must not be forgotten. Without access to its current zone, a record is never forgotten:
   * the credentials are wrong.
   */
  const clear = async <C extends PlannedChange>(
    zone: RecordZone,
    isCurrent: boolean,
    removal: (zone: RecordZone) => Promise<readonly C[]>,
  ): Promise<ZoneRemoval<C>> => {
    try {
      return { zone: zone.id, kind: 'removed', changes: await removal(zone) }
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      const failed = { zone: zone.id, kind: 'failed', error } as const
      if (!isMissingZone(error) && (!isDenied(error) || isCurrent)) return failed
      const listed = await list().catch((refusal: unknown) => {
        if (!(refusal instanceof AwsError)) throw refusal
        return isMissingZone(error) && isDenied(refusal) ? [] : undefined
      })
      if (listed === undefined || listed.some(({ id }) => id === bareId(zone.id))) return failed
      return { zone: zone.id, kind: isMissingZone(error) ? 'zone gone' : 'zone of others' }
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

  return {
    listZones: list,
    plan: (zone: RecordZone): Promise<readonly RecordAction[]> => explained(zone, read(zone, false)),
    planRemoval: (zone: RecordZone, isCurrent: boolean) => clear(zone, isCurrent, at => read(at, true)),
    apply: (zone: RecordZone) => explained(zone, applyUnexplained(zone)),
    remove: (zone: RecordZone, isCurrent: boolean) => clear(zone, isCurrent, deleteFrom),
  }
}

const sentencesOf = (changes: readonly PlannedChange[]): string =>
  changes.map(({ sentence }) => sentence).join()
