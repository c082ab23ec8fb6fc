/** Designate: zones and their record sets. */

import type { KindContext } from '../core/context.ts'
import { fixed, list, number, text } from '../core/field-types.ts'
import type { RecordSetItem, ZoneItem } from '../core/items.ts'
import { type ItemFields, isOwned, type ResourceKind } from '../core/kind.ts'
import { designateRefusal } from '../core/refusal.ts'
import { isFullName, isRecordType, isRecordValue } from './record-values.ts'

const time = ({ now }: Pick<KindContext, 'now'>): string => new Date(now).toISOString().slice(0, 19)

/** Returns true if an item matches a filter of Designate, in which `*` stands for any text. */
const matchesText = (field: unknown, values: readonly string[]): boolean =>
  values.some(value => {
    const parts = value.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`, 'i').test(String(field))
  })

export const zones: ResourceKind<'zone'> = {
  kind: 'zone',
  service: 'dns',
  collection: 'zones',
  member: '',
  list: 'zones',
  quota: 'zones',
  statuses: { created: 202, updated: 202, deleted: 202 },
  updateMethods: ['PATCH'],
  fields: {
    name: text(undefined, { required: true, ...fixed }),
    email: text(undefined),
    ttl: number(3600),
    description: text(null, { nullable: true }),
    type: text('PRIMARY', fixed),
  },
  filters: ['status'],
  creation: {
    first: { status: 'PENDING', action: 'CREATE' },
    next: { status: 'ACTIVE', action: 'NONE' },
    after: 'zone',
  },
  update: {
    first: { status: 'PENDING', action: 'UPDATE' },
    next: { status: 'ACTIVE', action: 'NONE' },
    after: 'zone',
  },
  deletion: { first: { status: 'PENDING', action: 'DELETE' }, after: 'zone' },
  missing: id =>
    isUuid(id)
      ? designateRefusal(404, 'zone_not_found', 'Could not find Zone')
      : designateRefusal(400, 'invalid_uuid', `Invalid UUID zone_id: ${id}`),
  build: ({ name }, context) => {
    if (!isFullName(String(name))) throw badValue(`Domain ${name} does not end with a dot`)
    const same = context.store.all('zone').find(zone => zone.name === name)
    if (same !== undefined) throw designateRefusal(409, 'duplicate_zone', 'Duplicate Zone')
    return {
      pool_id: '794ccc2c-d751-44fe-b57f-8894c9f5c842',
      serial: Math.floor(context.now / 1_000),
      masters: [],
      attributes: {},
      version: 1,
      shared: false,
      transferred_at: null,
      created_at: time(context),
      updated_at: null,
    }
  },
  created: (zone, context) => {
    const managed = { zone_id: zone.id, name: zone.name, _managed: true }
    const soa = `ns1.example.org. hostmaster.example.org. ${zone.serial} 3600 600 86400 3600`
    putManaged({ ...managed, type: 'SOA', records: [soa] }, zone, context)
    putManaged({ ...managed, type: 'NS', records: ['ns1.example.org.'] }, zone, context)
  },
  view: (zone, { endpoint }) => ({ ...zone, links: { self: `${endpoint}/v2/zones/${zone.id}` } }),
  filter: (zone, name, values) => (name in zone ? matchesText(zone[name], values) : undefined),
  ended: (zone, { store }) => {
    for (const set of store.all('recordSet')) if (set.zone_id === zone.id) store.remove('recordSet', set.id)
  },
}

const putManaged = (fields: ItemFields, zone: ZoneItem, context: KindContext): void =>
  context.store.put('recordSet', {
    id: context.newId(),
    project_id: zone.project_id,
    zone_name: zone.name,
    ttl: null,
    description: null,
    status: 'ACTIVE',
    action: 'NONE',
    version: 1,
    created_at: time(context),
    updated_at: null,
    ...fields,
    // All fields of a record set are above.
  } as unknown as RecordSetItem)

const badValue = (text: string) =>
  designateRefusal(
    400,
    'invalid_object',
    `Provided object is not valid. Got a ValueError error with message ${text}`,
  )

export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(id)

const invalidRecords = (type: string, records: readonly string[]) =>
  records.flatMap((value, index) =>
    isRecordValue(type, value)
      ? []
      : [
          {
            path: ['records', index],
            message: `'${value}' is not a '${type}' Record`,
            validator: 'format',
            validator_value: [type],
          },
        ],
  )

const badLocation = (text: string) => designateRefusal(400, 'invalid_recordset_location', text)

const checkRecords = (type: string, records: readonly string[]): void => {
  const problems = invalidRecords(type, records)
  if (problems.length > 0) throw designateRefusal(400, 'invalid_object', problems)
  if (type === 'CNAME' && records.length > 1)
    throw designateRefusal(400, 'bad_request', 'CNAME recordsets may not have more than 1 record')
}

/** Designate returns values in their order as texts. */
const sortedRecords = (records: unknown): readonly string[] =>
  [...new Set(Array.isArray(records) ? records.map(String) : [])].sort()

const checkPlace = (name: string, type: string, zone: ZoneItem, { store }: KindContext): void => {
  if (name !== zone.name && !name.endsWith(`.${zone.name}`))
    throw badLocation("RecordSet is not contained within it's parent zone")
  if (type === 'CNAME' && name === zone.name)
    throw badLocation('CNAME recordsets may not be created at the zone apex')
  const same = store.all('recordSet').filter(set => set.zone_id === zone.id && set.name === name)
  if (same.some(set => set.type !== type && (type === 'CNAME' || set.type === 'CNAME')))
    throw badLocation('CNAME recordsets may not share a name with any other records')
  const child = store
    .all('zone')
    .find(
      other =>
        other.id !== zone.id &&
        other.name.endsWith(`.${zone.name}`) &&
        (name === other.name || name.endsWith(`.${other.name}`)),
    )
  if (child !== undefined) throw badLocation(`RecordSet belongs in a child zone: ${child.name}`)
  if (same.some(set => set.type === type))
    throw designateRefusal(409, 'duplicate_recordset', 'Duplicate RecordSet')
}

export const recordSets: ResourceKind<'recordSet'> = {
  kind: 'recordSet',
  service: 'dns',
  collection: 'recordsets',
  within: { collection: 'zones', kind: 'zone', field: 'zone_id' },
  member: '',
  list: 'recordsets',
  statuses: { created: 202, updated: 202, deleted: 202 },
  fields: {
    name: text(undefined, { required: true, ...fixed }),
    type: text(undefined, { required: true, ...fixed }),
    records: list([]),
    ttl: number(null, { nullable: true }),
    description: text(null, { nullable: true }),
  },
  filters: ['status', 'data'],
  creation: {
    first: { status: 'PENDING', action: 'CREATE' },
    next: { status: 'ACTIVE', action: 'NONE' },
    after: 'record',
  },
  update: {
    first: { status: 'PENDING', action: 'UPDATE' },
    next: { status: 'ACTIVE', action: 'NONE' },
    after: 'record',
  },
  deletion: { first: { status: 'PENDING', action: 'DELETE' }, after: 'record' },
  missing: id =>
    isUuid(id)
      ? designateRefusal(404, 'recordset_not_found', 'Could not find RecordSet')
      : designateRefusal(400, 'invalid_uuid', `Invalid UUID recordset_id: ${id}`),
  isVisible: (set, holder, { store }) => {
    const zone = store.get('zone', set.zone_id)
    return isOwned(set, holder) || (zone !== undefined && isOwned(zone, holder))
  },
  checkValues: (fields, action) => {
    if (action === 'update') return
    const name = String(fields.name)
    const type = String(fields.type)
    if (!isRecordType(type))
      throw designateRefusal(400, 'invalid_object', [
        {
          path: ['recordset', 'type'],
          message: `'${type}' is not a valid record type`,
          validator: 'value',
          validator_value: [type],
        },
      ])
    checkRecords(type, sortedRecords(fields.records))
    if (!isFullName(name)) throw badValue(`Host name ${name} does not end with a dot`)
    if (type === 'SOA') throw designateRefusal(400, 'bad_request', 'Creating a SOA recordset is not allowed')
    if (Number(fields.ttl) < 0) throw badValue('Value must be >= 0 for field ttl')
  },
  build: (fields, context) => {
    const zone = context.store.get('zone', String(fields.zone_id))
    if (zone === undefined) throw designateRefusal(404, 'zone_not_found', 'Could not find Zone')
    checkPlace(String(fields.name), String(fields.type), zone, context)
    checkQuota(zone, context)
    return {
      zone_name: zone.name,
      records: sortedRecords(fields.records),
      version: 1,
      created_at: time(context),
      updated_at: null,
      _managed: false,
    }
  },
  change: (set, fields, context) => {
    checkManaged(set, 'updated')
    const records = fields.records === undefined ? set.records : sortedRecords(fields.records)
    checkRecords(set.type, records)
    return { ...fields, records, version: Number(set.version) + 1, updated_at: time(context) }
  },
  checkDeletion: set => checkManaged(set, 'deleted'),
  view: (set, { endpoint }) => ({
    ...set,
    links: { self: `${endpoint}/v2/zones/${set.zone_id}/recordsets/${set.id}` },
  }),
  filter: (set, name, values) => {
    if (name === 'data') return set.records.some(value => matchesText(value, values))
    return name in set ? matchesText(set[name], values) : undefined
  },
}

const checkManaged = (set: RecordSetItem, verb: string): void => {
  if (set._managed) throw designateRefusal(400, 'bad_request', `Managed records may not be ${verb}`)
}

const checkQuota = (zone: ZoneItem, context: KindContext): void => {
  const { store, holder } = context
  const most = context.quotaOf('zone_recordsets', zone.project_id)
  const used = store.all('recordSet').filter(set => set.zone_id === zone.id && !set._managed).length
  if (!holder.isOperator && most >= 0 && used >= most)
    throw designateRefusal(413, 'over_quota', 'Quota exceeded for zone_recordsets.')
}

export const dnsKinds: readonly ResourceKind[] = [zones, recordSets]
