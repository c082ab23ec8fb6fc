import type { Aws } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { isRecord, type Json } from '../json.ts'
import type { Row } from '../oracle/canonical.ts'

/** Fields of AWS that differ without a difference of the resource: the order of creation, past calls, clocks. */
const past: ReadonlySet<string> = new Set([
  'sequence',
  'allocations',
  'tokens',
  'ipv4Cursors',
  'prepared',
  'createdAt',
  'macAddress',
  'sweptDay',
  // AWS chooses the private addresses of its own network interfaces.
  'privateIp',
  'ipv4',
])
const pastTables: ReadonlySet<string> = new Set(['changes', 'callerReferences', 'released', 'supplies'])

/** Returns the resources of the account, without deleted ones that AWS still lists. */
export const cloudRows = (aws: Aws): readonly Row[] => {
  const rows = liveResources(aws).map(({ place, value }) => ({
    place,
    value: present(value),
    isUnordered: true,
  }))
  const interfaces = new Set(rows.flatMap(({ value }) => (isRecord(value) ? [value.id] : [])))
  // An address is free as soon as its interface is gone.
  const isFree = (association: Json | undefined) =>
    isRecord(association) && !interfaces.has(association.networkInterfaceId)
  return rows.map(row =>
    isRecord(row.value) && isFree(row.value.association)
      ? { ...row, value: without(row.value, 'association') }
      : row,
  )
}

/** Returns the names of the resources in a plan: ids, names of buckets, types and names of records. */
export const cloudNames = (aws: Aws): readonly string[] =>
  liveResources(aws)
    .filter(({ table }) => namedTables.has(table))
    .flatMap(({ table, value }) => namesOf(table, value))

const without = (value: Readonly<Record<string, Json>>, field: string): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field))

const liveResources = (aws: Aws) =>
  Object.entries(aws.account().snapshot().services).flatMap(([service, state]) =>
    tablesOf(state as Json).flatMap(([table, resources]) =>
      resources
        .filter(resource => !isGone(resource, aws.clock.now()))
        .map(value => ({ place: `${service} ${table}`, table, value })),
    ),
  )

/** Tables of resources that a function creates by themselves, in contrast to parts of others. */
const namedTables: ReadonlySet<string> = new Set([
  'vpcs',
  'subnets',
  'internetGateways',
  'egressOnlyGateways',
  'routeTables',
  'securityGroups',
  'addresses',
  'natGateways',
  'vpcEndpoints',
  'keyPairs',
  'instances',
  'roles',
  'profiles',
  'fileSystems',
  'buckets',
  'zones',
])

const namesOf = (table: string, resource: Json): readonly string[] => {
  if (!isRecord(resource)) return []
  if (Array.isArray(resource.recordSets))
    return resource.recordSets.map((set: Json) =>
      isRecord(set) ? `${String(set.Type)} ${String(set.Name)}` : '',
    )
  const { id, name } = resource
  return [String(table === 'keyPairs' ? name : (id ?? name))]
}

const tablesOf = (state: Json): readonly (readonly [string, readonly Json[]])[] =>
  Object.entries(isRecord(state) ? state : {}).flatMap(([name, table]) => {
    if (pastTables.has(name) || past.has(name)) return []
    if (name === 'rows') return tablesOf(table)
    if (Array.isArray(table)) return [[name, table]]
    return isRecord(table) ? [[name, Object.values(table)]] : []
  })

const isGone = (resource: Json, now: number): boolean => {
  if (!isRecord(resource)) return false
  const { state, deletedAt, goneAt } = resource
  return (
    deletedAt !== undefined ||
    Number(goneAt) <= now ||
    /^(?:deleted|deleting|terminated)$/i.test(String(state ?? ''))
  )
}

const present = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(present)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !past.has(name))
      .map(([name, field]) => [name, present(field)]),
  )
}
