import type { Invariants, ObjectName } from '../../../simulation/invariants/invariants.ts'
import type { OpenStackRow } from './openstack-contents.ts'

/** Returns the place of a resource in its object: a second one there is a double. Undefined: it comes with another. */
const placeIn = ({ kind, item }: OpenStackRow): string | undefined => {
  switch (kind) {
    case 'port':
      return item.device_owner === 'network:router_interface'
        ? `interface in ${item.network_id} of ${item.device_id} ${JSON.stringify(item.fixed_ips)}`
        : undefined
    case 'securityGroupRule':
      return [
        ...[kind, item.security_group_id, item.direction, item.ethertype, item.protocol, item.port_range_min],
        ...[item.port_range_max, item.remote_ip_prefix, item.remote_group_id],
      ].join(' ')
    case 'recordSet':
      return `${kind} ${item.zone_id} ${item.name} ${item.type}`
    case 'object':
      return undefined
    default:
      return `${kind} ${item.name || item.description || ''}`
  }
}

const textOf = ({ kind, item }: OpenStackRow): string => `${kind} ${item.name || ''} ${item.id}`

/** Checks that nothing is left of objects that are gone, and that nothing of present ones exists twice. */
export const checkRest = (
  { problems, objects }: Pick<Invariants, 'problems' | 'objects'>,
  rowsOf: (name: ObjectName) => readonly OpenStackRow[],
): void => {
  for (const [name, object] of objects.all()) {
    if (object.isReleased) continue
    const rows = rowsOf(name)
    const isGone = object.seeds.size === 0
    if (isGone) for (const row of rows) problems.add('nothing is left', `${textOf(row)} of ${name}`)
    if (isGone || !object.isDone || object.isDeleting) continue
    for (const [place, same] of Map.groupBy(rows, placeIn))
      if (place !== undefined && same.length > 1)
        problems.add('nothing is doubled', `${name} has ${same.map(textOf).join(' and ')}`)
  }
}
