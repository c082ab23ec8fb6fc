/** Nova: key pairs, server groups, servers and their flavors. */

import { number, text } from '../core/field-types.ts'
import type { ResourceKind } from '../core/kind.ts'
import { novaRefusal } from '../core/refusal.ts'
import { keyPairs } from './key-pairs.ts'
import { serverGroups } from './server-groups.ts'
import { servers } from './servers.ts'

const flavors: ResourceKind<'flavor'> = {
  kind: 'flavor',
  service: 'compute',
  collection: 'flavors',
  member: 'flavor',
  list: 'flavors',
  fields: { name: text('', { role: '' }), vcpus: number(1), ram: number(512), disk: number(1) },
  statuses: { created: 200, deleted: 202 },
  missing: id => novaRefusal(404, `Flavor ${id} could not be found.`),
  isVisible: () => true,
  view: ({ id, name, vcpus, ram, disk }, { endpoint }, form) => ({
    id,
    name,
    links: [{ rel: 'bookmark', href: `${endpoint}/flavors/${id}` }],
    ...(form !== 'listed' && {
      vcpus,
      ram,
      disk,
      swap: '',
      rxtx_factor: 1,
      'OS-FLV-DISABLED:disabled': false,
      'OS-FLV-EXT-DATA:ephemeral': 0,
      'os-flavor-access:is_public': true,
    }),
  }),
}

export const computeKinds: readonly ResourceKind[] = [keyPairs, serverGroups, servers, flavors]

/** The newest minor version of Nova's API here, that of Nova 31. */
export const newestMicroversion = 100

/** Returns the minor version of a request. Throws a refusal for one that Nova does not have. */
export const microversionOf = (
  headers: Readonly<Record<string, string | undefined>>,
  newest: number,
): number => {
  const asked =
    /^compute\s+(\S+)$/.exec(headers['openstack-api-version'] ?? '')?.[1] ??
    headers['x-openstack-nova-api-version']
  if (asked === undefined) return 1
  if (asked === 'latest') return newest
  const [, minor] = /^2\.(\d+)$/.exec(asked) ?? []
  if (minor === undefined)
    throw novaRefusal(
      400,
      `API Version String ${asked} is of invalid format. Must be of format MajorNum.MinorNum.`,
    )
  const number = Number(minor)
  if (number < 1 || number > newest)
    throw novaRefusal(
      406,
      `Version ${asked} is not supported by the API. Minimum is 2.1 and maximum is 2.${newest}.`,
    )
  return number
}
