import * as z from 'zod'
import { listAll, type OpenStackAccess } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import type { DesiredSet, PresentSet, RecordSetChange } from './record-set.ts'
import type { DesignateZone } from './zones.ts'

const zoneSchema = z.object({ id: z.string(), name: z.string(), action: z.string().optional() })

const setSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  records: z.array(z.string()),
  ttl: z.number().nullable(),
  status: z.string(),
  action: z.string(),
})

/** Zones on a page. Designate's own default is 20, and a lower limit of the cloud applies. */
const pageSize = 1_000

/** The calls of Designate that a record needs (DNS API v2). */
export const designateOver = (access: OpenStackAccess) => {
  const service = 'dns'
  return {
    listZones: (name: string): Promise<readonly DesignateZone[]> =>
      listAll(access, {
        service,
        path: ['zones'],
        query: { limit: pageSize },
        member: 'zones',
        item: zoneSchema,
        idOf: zone => zone.id,
        doing: `choosing the zone of ${name}`,
      }),

    findSet: async (zone: string, { name, type }: DesiredSet): Promise<PresentSet | undefined> => {
      const listed = await listAll(access, {
        service,
        path: ['zones', zone, 'recordsets'],
        query: { name, type },
        member: 'recordsets',
        item: setSchema,
        idOf: set => set.id,
        doing: `reading ${type} ${name} in zone ${zone}`,
      })
      // `*.example.com.` in the query also matches every other name below the zone.
      const own = listed.filter(set => set.name.toLowerCase() === name && set.type === type)
      return own.find(({ action }) => action !== 'DELETE') ?? own[0]
    },

    apply: async (
      zone: string,
      { name, type, records, ttl }: DesiredSet,
      { kind, present }: RecordSetChange,
    ): Promise<void> => {
      const sets = ['zones', zone, 'recordsets']
      const path = present === undefined ? sets : [...sets, present.id]
      const what = `${type} ${name} in zone ${zone}`
      if (kind === 'create')
        await access.call({
          service,
          method: 'POST',
          path,
          body: { name, type, records, ttl },
          doing: `creating ${what}`,
        })
      else if (kind === 'update')
        await access.call({ service, method: 'PUT', path, body: { records, ttl }, doing: `changing ${what}` })
      else await access.call({ service, method: 'DELETE', path, doing: `deleting ${what}` })
    },
  }
}
