import type { Clock } from '../../../shared/clock/clock.ts'
import {
  createAccess,
  type OpenStackConnection,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { type DesignateStep, recordInZone, type ZoneClearing } from './record-in-zone.ts'
import { type RecordSetChange, setName } from './record-set.ts'
import { type ChosenZone, chooseZone, knownZones, namedZone, stateOf, zonesToClear } from './zones.ts'

export interface DesignateOptions {
  readonly connection: OpenStackConnection
  readonly clock: Clock
}

/** The work of a step. `zone` undefined: a deletion. `former`: the zones from which the record is removed. */
interface DesignateWork {
  readonly zone?: ChosenZone
  readonly change?: RecordSetChange | undefined
  readonly former: readonly ZoneClearing[]
}

/** Creates the access to records of a process. Throws `OpenStackError`s and `CodedError`s. */
export const createRecords = ({ connection, clock }: DesignateOptions) => {
  const open = createAccess(connection, clock)

  return (step: DesignateStep) => {
    const { object, secret, signal, throwIfExpired, operation } = step
    const access = open({ secret, region: object.spec.region, signal, throwIfExpired, dnsKeys: true })
    const record = recordInZone(access, step, clock)
    const known = knownZones(object)
    const zoneOf = async (): Promise<ChosenZone> =>
      namedZone(object, operation === 'Restore') ??
      chooseZone(setName(object), await record.listZones(), known)
    const otherThan = ({ id }: ChosenZone) => known.filter(zone => zone !== id)

    return {
      /** Ensures the record, then removes it from all other zones that may contain it. */
      reconcile: async () => {
        const zone = await zoneOf()
        const change = await record.write(zone)
        const former = await record.clearEach(otherThan(zone))
        return { zone, change, former, state: stateOf([zone.id], await access.projectId()) }
      },
      /** Removes the record from every zone that may contain it. */
      remove: () => record.clearEach(zonesToClear(object)),
      /** Returns the changes that a step would make, from the same reads. */
      plan: async (destroy: boolean): Promise<DesignateWork> => {
        if (destroy) return { former: await record.clearEach(zonesToClear(object), true) }
        const zone = await zoneOf()
        const change = await record.plan(zone)
        return { zone, change, former: await record.clearEach(otherThan(zone), true) }
      },
    }
  }
}
