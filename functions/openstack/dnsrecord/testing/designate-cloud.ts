import { randomUUID } from 'node:crypto'
import type { ScriptedAnswer } from '../../../../terraform-free-infra/openstack/account/testing/scripted-cloud.ts'
import { type ServedRequest, servedCloud } from '../../provider/testing/served-cloud.ts'

interface ServedSet {
  readonly id: string
  readonly name: string
  readonly type: string
  records: readonly string[]
  ttl: number | null
  status: string
  action: string
}

interface ServedZone {
  readonly id: string
  readonly name: string
  project: string
  action: string
  sets: ServedSet[]
}

const refusal = (code: number, type: string, message: string): ScriptedAnswer => ({
  status: code,
  body: { code, type, message, request_id: 'req-1' },
})

/**
 * Zones as Designate serves them: sorted records, two items on a page, patterns in filters, and record sets that are
 * unique by name and type. A deletion takes effect at once unless `slow` is true.
 */
export const designateCloud = (names: readonly string[] = ['example.com.']) => {
  const zones: ServedZone[] = []
  const options = { slow: false }
  const addZone = (name: string, fields: Partial<ServedZone> = {}): ServedZone => {
    const zone = { id: randomUUID(), name, project: 'project-1', action: 'NONE', sets: [], ...fields }
    zones.push(zone)
    return zone
  }
  for (const name of names) addZone(name)

  const page = (member: string, items: readonly { readonly id: string }[], query: URLSearchParams) => {
    const from = items.findIndex(({ id }) => id === query.get('marker')) + 1
    const shown = items.slice(from, from + 2)
    query.set('marker', shown.at(-1)?.id ?? '')
    const next = from + 2 < items.length && { next: `http://dns.inside/v2/${member}?${query}` }
    return {
      body: { [member]: shown, links: { self: 'x', ...next }, metadata: { total_count: items.length } },
    }
  }

  const serve = ({ method, path, query, body }: ServedRequest): ScriptedAnswer => {
    const [, zoneId, , setId] = path
    if (zoneId === undefined)
      return page(
        'zones',
        zones.filter(({ project }) => project === served.state.project),
        query,
      )
    const zone = zones.find(({ id, project }) => id === zoneId && project === served.state.project)
    if (zone === undefined) return refusal(404, 'zone_not_found', 'Could not find Zone')
    const set = zone.sets.find(({ id }) => id === setId)
    if (method === 'GET') {
      const pattern = new RegExp(`^${(query.get('name') ?? '*').replace(/\./g, '\\.').replace(/\*/g, '.*')}$`)
      const type = query.get('type')
      return page(
        'recordsets',
        zone.sets.filter(one => pattern.test(one.name) && one.type === type),
        query,
      )
    }
    if (zone.action === 'DELETE') return refusal(400, 'bad_request', 'Can not update a deleting zone')
    if (setId !== undefined && set === undefined)
      return refusal(404, 'recordset_not_found', 'Could not find RecordSet')
    if (method === 'DELETE') {
      if (!options.slow) zone.sets = zone.sets.filter(one => one !== set)
      else if (set !== undefined) Object.assign(set, { action: 'DELETE', status: 'PENDING' })
      return { status: 202, body: {} }
    }
    const { records, ...content } = JSON.parse(body)
    const bad = records.find((one: string) => content.type === 'TXT' && /^[^"]*\s/.test(one))
    if (bad !== undefined) {
      const message = `'${bad}' is not a 'TXT' Record`
      const errors = { errors: [{ path: ['records', 0], message, validator: 'format' }] }
      return { status: 400, body: { code: 400, type: 'invalid_object', errors, request_id: 'req-1' } }
    }
    const written = {
      ...content,
      records: records.toSorted(),
      status: 'PENDING',
      action: set ? 'UPDATE' : 'CREATE',
    }
    if (set !== undefined) return { status: 202, body: Object.assign(set, written) }
    if (zone.sets.some(({ name, type }) => name === written.name && type === written.type))
      return refusal(409, 'duplicate_recordset', 'Duplicate RecordSet')
    const made: ServedSet = { id: randomUUID(), ...written }
    zone.sets.push(made)
    return { status: 202, body: made }
  }

  const served = servedCloud(serve, () =>
    zones.flatMap(({ sets }) =>
      sets.map(({ name, type, id: _, ...content }) => ({ name: `${type} ${name}`, content })),
    ),
  )
  return {
    ...served,
    options,
    zones,
    addZone,
    addSet: (zone: ServedZone, fields: Partial<ServedSet>): ServedSet => {
      const made = { name: 'api.example.com.', type: 'A', records: ['1.2.3.4'], ttl: 120 }
      const set = { id: randomUUID(), status: 'ACTIVE', action: 'NONE', ...made, ...fields }
      zone.sets.push(set)
      return set
    },
    /** `A api.example.com. 120 1.2.3.4` */
    sets: () =>
      zones.flatMap(({ sets }) =>
        sets.map(({ type, name, ttl, records }) => [type, name, ttl, ...records].join(' ')),
      ),
  }
}
