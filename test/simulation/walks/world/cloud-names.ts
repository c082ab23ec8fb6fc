import type { WorldRow } from '../../../../sandbox/simulation/oracle/oracle.ts'

/** Returns the names of the resources in a plan: ids, names of buckets, types and names of records. */
export const cloudNames = (rows: readonly WorldRow[]): readonly string[] =>
  rows.flatMap(({ place, value }) => {
    const [, table = '', part] = place.split(' ')
    const { id, name, Type, Name } = Object(value)
    if (part === 'record') return [`${Type} ${Name}`]
    if (!namedTables.has(table)) return []
    return [String(table === 'keyPairs' ? name : (id ?? name))]
  })

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
])
