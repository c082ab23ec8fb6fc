import { fixed, flag, list, number, ofAdmin, text } from '../core/field-types.ts'
import { isOwned, type ResourceKind, related } from '../core/kind.ts'
import { neutronRefusal } from '../core/refusal.ts'
import { isPublic, noNetwork, standardFields } from './refusals.ts'
import { ensureDefaultGroup } from './security-groups.ts'
import { tagActionsOf } from './tags.ts'

export const networks: ResourceKind<'network'> = {
  kind: 'network',
  service: 'network',
  collection: 'networks',
  member: 'network',
  list: 'networks',
  quota: 'network',
  fields: {
    name: text(''),
    description: text(''),
    admin_state_up: flag(true),
    shared: flag(false, ofAdmin),
    'router:external': flag(false, ofAdmin),
    mtu: number(1500),
    port_security_enabled: flag(true),
    availability_zone_hints: list([], fixed),
  },
  filters: ['status'],
  missing: noNetwork,
  isVisible: (network, holder) => isOwned(network, holder) || isPublic(network),
  build: (_, context) => ({
    status: 'ACTIVE',
    availability_zones: [],
    ipv4_address_scope: null,
    ipv6_address_scope: null,
    qinq: false,
    vlan_transparent: false,
    ...standardFields(context),
  }),
  created: (network, context) => ensureDefaultGroup(network.project_id, context),
  view: (network, { store }) => ({
    ...network,
    tenant_id: network.project_id,
    subnets: store
      .all('subnet')
      .filter(subnet => subnet.network_id === network.id)
      .map(({ id }) => id),
  }),
  blockedBy: [
    {
      ...related<'port', 'network'>('port', (port, { id }) => port.network_id === id),
      refusal: ({ id }, ports) =>
        neutronRefusal(
          409,
          'NetworkInUse',
          `Unable to complete operation on network ${id}. There are one or more ports still in use on the network, id for these ports is: ${ports.map(port => port.id).join(',')}.`,
        ),
    },
  ],
  owns: [related<'subnet', 'network'>('subnet', (subnet, { id }) => subnet.network_id === id)],
  actions: tagActionsOf('network'),
}
