import { isRecord } from '../../../../shared/decode/record-of.ts'
import type { WorldRow } from '../../../simulation/oracle/oracle.ts'
import type { CloudItem, ItemKind, SimulatedOpenStack } from '../simulator/openstack.ts'

/** Fields that show the order of past calls, and addresses that OpenStack chooses. */
const past: ReadonlySet<string> = new Set([
  'created_at',
  'updated_at',
  'revision_number',
  'mac_address',
  'ip_address',
  'fixed_ip_address',
  'serial',
  'version',
  'modified',
  'launched_at',
  'terminated_at',
  'accessIPv4',
  '_addresses',
])

/** The kinds of resources in an account. Users and projects are none. */
export const rowKinds = [
  'network',
  'subnet',
  'subnetPool',
  'port',
  'router',
  'floatingIp',
  'securityGroup',
  'securityGroupRule',
  'keypair',
  'serverGroup',
  'server',
  'zone',
  'recordSet',
  'loadBalancer',
  'listener',
  'shareNetwork',
  'container',
  'object',
] as const satisfies readonly ItemKind[]

/** A resource with its kind. */
export interface OpenStackRow {
  readonly kind: (typeof rowKinds)[number]
  readonly item: CloudItem
}

/** Returns all resources of all projects, without the security groups that Neutron gives each project. */
export const openstackRows = ({ resources }: SimulatedOpenStack): readonly OpenStackRow[] => {
  const defaults = new Set(
    resources('securityGroup').flatMap(one => (one.name === 'default' ? [one.id] : [])),
  )
  return rowKinds.flatMap(kind =>
    resources(kind).flatMap((item: CloudItem) =>
      defaults.has(item.id) || defaults.has(String(item.security_group_id)) || item._managed === true
        ? []
        : [{ kind, item }],
    ),
  )
}

/** Returns the row of a resource without the order of past calls. */
export const rowOfItem = ({ kind, item }: OpenStackRow): WorldRow => ({
  place: `openstack ${kind}`,
  value: present(item),
  isUnordered: true,
})

const present = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(present)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (past.has(name) ? [] : [[name, present(field)]])),
  )
}
