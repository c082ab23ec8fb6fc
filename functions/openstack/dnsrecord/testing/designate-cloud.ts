import type { SimulatedOpenStack } from '../../../../sandbox/providers/openstack/simulator/openstack.ts'
import { type SimulatedCloudOptions, simulatedCloud } from '../../provider/testing/simulated-cloud.ts'

/** The fields of a record set that a test sets. */
interface SetFields {
  readonly name?: string
  readonly type?: string
  readonly records?: readonly string[]
  readonly ttl?: number | null
  readonly status?: string
  readonly action?: string
}

const ownSets = (openstack: SimulatedOpenStack) =>
  openstack.resources('recordSet').filter(({ _managed }) => !_managed)

/** The simulated Designate with these zones. Its lists have two items on a page. */
export const designateCloud = (
  names: readonly string[] = ['example.com.'],
  options: SimulatedCloudOptions = {},
) => {
  const simulated = simulatedCloud({
    lists: { seed: 1, most: 2 },
    things: openstack =>
      ownSets(openstack).map(({ name, type, records, ttl }) => ({
        name: `${type} ${name}`,
        content: { records, ttl },
      })),
    ...options,
  })
  const { openstack } = simulated
  const addZone = (name: string) => openstack.add('zone', { name, email: 'dns@example.com' })
  const zones = names.map(addZone)
  return {
    ...simulated,
    zones,
    addZone,
    /** Adds a record set `A api.example.com. 120 1.2.3.4`, with the fields of a test. */
    addSet: (zone: { readonly id: string }, { status, action, ...fields }: SetFields = {}) => {
      const made = { name: 'api.example.com.', type: 'A', records: ['1.2.3.4'], ttl: 120, zone_id: zone.id }
      const set = openstack.add('recordSet', { ...made, ...fields })
      // The next look at the resources ends its creation.
      ownSets(openstack)
      if (status !== undefined) openstack.put('recordSet', set.id, { status, action })
      return set
    },
    /** The record sets of all zones or of one: `A api.example.com. 120 1.2.3.4`. */
    sets: (zone?: { readonly id: string }) =>
      ownSets(openstack)
        .filter(({ zone_id }) => zone === undefined || zone_id === zone.id)
        .map(({ type, name, ttl, records }) => [type, name, ttl, ...records].join(' ')),
    /** The next requests of this method are refused. */
    refuse: (method: string, status: number, body: object, times = 1) =>
      void openstack.faults.add({
        service: 'dns',
        method,
        times,
        effect: { kind: 'answer', status, body: { code: status, request_id: 'req-1', ...body } },
      }),
  }
}
