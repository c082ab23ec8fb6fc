import type { Clock } from '../../../shared/clock/clock.ts'
import { CodedError, configurationProblem } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { continueSoon, type StepContext, StepContinuesError } from '../../../shared/lifecycle/lifecycle.ts'
import {
  isNotFound,
  isRefusal,
  type OpenStackAccess,
  OpenStackError,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { designateOver } from './designate.ts'
import { changeTo, deletionOf, desiredSet, type PresentSet, type RecordSetChange } from './record-set.ts'
import { type ChosenZone, knownZones, memoryOf, stateOf } from './zones.ts'

/** The part of a step's context that its record needs. */
export type DesignateStep = Pick<StepContext<DNSRecord>, 'object' | 'secret' | 'signal' | 'throwIfExpired'> &
  Partial<Pick<StepContext, 'operation' | 'saveStatus' | 'waited'>>

/** The removal of a record from one zone. `removed` without a change: there was no record. */
export type ZoneClearing = { readonly zone: string } & (
  | { readonly kind: 'removed'; readonly change: RecordSetChange | undefined }
  | { readonly kind: 'zone gone' }
  | { readonly kind: 'failed'; readonly error: Error }
)

/** Reads of a record in one step, if it changes meanwhile. */
const mostReads = 3

/** The longest wait until Designate has deleted a former record set, in ms. */
const deletionLimitMs = 10 * 60_000

/** Works on a record in one zone at a time. Throws `OpenStackError`s and `CodedError`s. */
export const recordInZone = (
  access: OpenStackAccess,
  { object, saveStatus, waited }: DesignateStep,
  clock: Clock,
) => {
  const designate = designateOver(access)
  const desired = desiredSet(object)
  const known = knownZones(object)
  const phrase = `${desired.type} ${desired.name}`
  const listZones = () => designate.listZones(desired.name)

  const waiting = (zone: string): StepContinuesError =>
    new StepContinuesError(
      continueSoon(
        { waited, clock },
        {
          waitsFor: 'former record set',
          progress: 30,
          description: `Waiting until Designate has deleted the former record set ${phrase} in zone ${zone}`,
          limitMs: deletionLimitMs,
        },
      ),
    )

  /** Returns the change that is due. Throws if Designate must finish something before. */
  const due = (zone: string, present: PresentSet | undefined): RecordSetChange | undefined => {
    if (present?.action === 'DELETE' && present.status !== 'ERROR') throw waiting(zone)
    const change = changeTo(desired, present)
    if (present?.status === 'ERROR' && (change === undefined || present.action === 'DELETE'))
      throw new Error(
        `Designate has the status ERROR for the record set ${phrase} in zone ${zone} after ${present.action}: its name servers did not take the change. Ask the operator of the cloud`,
      )
    return change
  }

  /** Returns the applied change. Reads again if another client was faster. */
  const write = async (zone: string): Promise<RecordSetChange | undefined> => {
    for (let reads = 1; ; reads++) {
      const change = due(zone, await designate.findSet(zone, desired))
      if (change === undefined) return undefined
      // A deletion must know the zone even if the step ends here.
      if (!known.includes(zone))
        await saveStatus?.({ state: stateOf([...known, zone], await access.projectId()) })
      try {
        await designate.apply(zone, desired, change)
        return change
      } catch (error) {
        const isDuplicate = isRefusal(error, 'duplicate_recordset', 'duplicate_record')
        if (!isDuplicate && !isRefusal(error, 'recordset_not_found')) throw error
        if (reads < mostReads) continue
        // A list no longer has a record set that Designate still deletes.
        throw isDuplicate ? waiting(zone) : error
      }
    }
  }

  /** Returns the result. A missing zone becomes an error with advice. */
  const explained = async <R>({ id, origin }: ChosenZone, result: Promise<R>): Promise<R> => {
    try {
      return await result
    } catch (error) {
      if (!isMissingZone(error) && !isRefusal(error, 'invalid_uuid')) throw error
      throw configurationProblem(
        `${Object(error).message}. The project ${await access.projectId()} has no zone ${id}, which comes from ${origin}. Set spec.zone to a zone of this project, or remove it to choose the zone by its name`,
        error,
      )
    }
  }

  /** Designate answers alike for a zone that is gone and for one of another project. */
  const zoneGone = async (zone: string, error: unknown): Promise<ZoneClearing> => {
    const failed = { zone, kind: 'failed', error: error as Error } as const
    const listed = await listZones()
    if (listed.some(({ id, action }) => id === zone && action !== 'DELETE')) return failed
    const { project } = memoryOf(object.status?.state)
    const current = await access.projectId()
    if (project === undefined || project === current) return { zone, kind: 'zone gone' }
    return {
      ...failed,
      error: configurationProblem(
        `cannot delete ${phrase}: the project ${current} has no zone ${zone}, and the record was written with credentials of the project ${project}. Use credentials of that project in the Secret of spec.secretRef`,
        error,
      ),
    }
  }

  /** Deletes the record with any values, or with `isPlan` only returns the deletion. */
  const clear = async (zone: string, isPlan = false): Promise<ZoneClearing> => {
    try {
      const change = deletionOf(await designate.findSet(zone, desired))
      if (change !== undefined && !isPlan) await designate.apply(zone, desired, change)
      return { zone, kind: 'removed', change }
    } catch (error) {
      if (isRefusal(error, 'recordset_not_found')) return { zone, kind: 'removed', change: undefined }
      // No zone has such an id. A zone that Designate deletes takes its record sets along.
      if (isRefusal(error, 'invalid_uuid')) return { zone, kind: 'zone gone' }
      if (isMissingZone(error) || isDeletedZone(error)) return zoneGone(zone, error)
      if (error instanceof OpenStackError || error instanceof CodedError)
        return { zone, kind: 'failed', error }
      throw error
    }
  }

  return {
    listZones,
    /** Returns the change that `write` would make. */
    plan: (zone: ChosenZone) =>
      explained(
        zone,
        designate.findSet(zone.id, desired).then(present => due(zone.id, present)),
      ),
    write: (zone: ChosenZone) => explained(zone, write(zone.id)),
    /** Clears zones one after the other. A failure in one does not stop the others. */
    clearEach: async (zones: readonly string[], isPlan = false): Promise<readonly ZoneClearing[]> => {
      const clearings: ZoneClearing[] = []
      for (const zone of zones) clearings.push(await clear(zone, isPlan))
      return clearings
    },
  }
}

const isMissingZone = (error: unknown): boolean =>
  isNotFound(error) && !isRefusal(error, 'recordset_not_found')

const isDeletedZone = (error: unknown): boolean =>
  isRefusal(error, 'bad_request') && /deleting zone/.test(Object(error).message)
