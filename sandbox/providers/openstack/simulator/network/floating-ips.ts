import type { KindContext } from '../core/context.ts'
import { fixed, fixedOrNull, text } from '../core/field-types.ts'
import type { FloatingIpItem, PortItem } from '../core/items.ts'
import { type ItemFields, isOwned, type ResourceKind, related } from '../core/kind.ts'
import { neutronRefusal } from '../core/refusal.ts'
import { createServicePort } from './ports.ts'
import { badRequest, networkOf, noFloatingIp, portOf, standardFields } from './refusals.ts'
import { tagActionsOf } from './tags.ts'

export const floatingIps: ResourceKind<'floatingIp'> = {
  kind: 'floatingIp',
  service: 'network',
  collection: 'floatingips',
  member: 'floatingip',
  list: 'floatingips',
  quota: 'floatingip',
  fields: {
    description: text(''),
    floating_network_id: text(undefined, { required: true, ...fixed }),
    subnet_id: text(undefined, fixedOrNull),
    floating_ip_address: text(undefined, { ...fixedOrNull, role: '' }),
    port_id: text(null, { nullable: true }),
    fixed_ip_address: text(null, { nullable: true }),
  },
  filters: ['status', 'router_id'],
  creation: { first: { status: 'DOWN' }, next: { status: 'ACTIVE' }, after: 'floatingIp' },
  missing: noFloatingIp,
  build: (fields, context, { id, project_id: project }) => {
    const network = networkOf(fields.floating_network_id, context)
    if (!network['router:external'])
      throw badRequest('floatingip', `Network ${network.id} is not a valid external network`)
    const isOfNetwork = (subnet: { readonly network_id: string }) => subnet.network_id === network.id
    if (!context.store.all('subnet').some(subnet => isOfNetwork(subnet) && subnet.ip_version === 4))
      throw badRequest('floatingip', `Network ${network.id} does not contain any IPv4 subnet`)
    const asked = {
      ...(typeof fields.subnet_id === 'string' && { subnet_id: fields.subnet_id }),
      ...(typeof fields.floating_ip_address === 'string' && { ip_address: fields.floating_ip_address }),
    }
    const outer = createServicePort(
      {
        network_id: network.id,
        device_id: id,
        device_owner: 'network:floatingip',
        ...(Object.keys(asked).length > 0 && { fixed_ips: [asked] }),
      },
      '',
      context,
    )
    const address = outer.fixed_ips.find(ip => !ip.ip_address.includes(':'))?.ip_address
    if (address === undefined)
      throw neutronRefusal(
        400,
        'ExternalIpAddressExhausted',
        `Unable to find any IP address on external network ${network.id}.`,
      )
    const made = { floating_network_id: network.id, floating_ip_address: address, id }
    return {
      ...made,
      subnet_id: undefined,
      ...associated({ ...made, project_id: project }, fields, context),
      ...standardFields(context),
    }
  },
  change: (address, fields, context) => {
    if (fields.port_id === undefined) return fields
    return { ...fields, ...associated(address, fields, context) }
  },
  view: address => ({ ...address, tenant_id: address.project_id }),
  owns: [
    related<'port', 'floatingIp'>(
      'port',
      (port, { id }) => port.device_id === id && port.device_owner === 'network:floatingip',
    ),
  ],
  actions: tagActionsOf('floatingIp'),
}

type NewAddress = Pick<FloatingIpItem, 'id' | 'project_id' | 'floating_network_id' | 'floating_ip_address'>

/** Returns the association of a floating IP with a port. Throws a refusal if no router connects them. */
const associated = (
  address: NewAddress,
  { port_id: portId, fixed_ip_address: asked }: ItemFields,
  context: KindContext,
): ItemFields => {
  if (typeof portId !== 'string')
    return { port_id: null, router_id: null, fixed_ip_address: null, port_details: null }
  const { store, holder } = context
  const port = portOf(portId, context)
  if (!isOwned({ ...address }, holder) || port.project_id !== address.project_id)
    throw badRequest(
      'floatingip',
      `Cannot process floating IP association with Port ${portId}, since that port is owned by a different project`,
    )
  const { subnet_id: subnet, ip_address: inner } = innerAddress(port, asked)
  const router = store.all('router').find(({ id, external_gateway_info: gateway }) => {
    const inside = store
      .all('port')
      .some(
        other =>
          other.device_id === id &&
          other.device_owner === 'network:router_interface' &&
          other.fixed_ips.some(ip => ip.subnet_id === subnet),
      )
    return inside && gateway?.network_id === address.floating_network_id
  })
  if (router === undefined)
    throw neutronRefusal(
      404,
      'ExternalGatewayForFloatingIPNotFound',
      `External network ${address.floating_network_id} is not reachable from subnet ${subnet}.  Therefore, cannot associate Port ${portId} with a Floating IP.`,
    )
  const isTaken = store
    .all('floatingIp')
    .some(
      other =>
        other.id !== address.id &&
        other.port_id === portId &&
        other.fixed_ip_address === inner &&
        other.floating_network_id === address.floating_network_id,
    )
  if (isTaken)
    throw neutronRefusal(
      409,
      'FloatingIPPortAlreadyAssociated',
      `Cannot associate floating IP ${address.floating_ip_address} (${address.id}) with port ${portId} using fixed IP ${inner}, as that fixed IP already has a floating IP on external network ${address.floating_network_id}.`,
    )
  const { name, network_id, admin_state_up, status, device_id, device_owner, mac_address } = port
  return {
    port_id: portId,
    router_id: router.id,
    fixed_ip_address: inner,
    port_details: { name, network_id, mac_address, admin_state_up, status, device_id, device_owner },
  }
}

const innerAddress = (port: PortItem, asked: unknown): PortItem['fixed_ips'][number] => {
  const inner = port.fixed_ips.filter(ip => !ip.ip_address.includes(':'))
  if (typeof asked === 'string') {
    const found = inner.find(ip => ip.ip_address === asked)
    if (found === undefined) throw badRequest('floatingip', `Port ${port.id} does not have fixed ip ${asked}`)
    return found
  }
  const [first, ...others] = inner
  if (first === undefined)
    throw badRequest(
      'floatingip',
      `Cannot add floating IP to port ${port.id} that has no fixed IPv4 addresses`,
    )
  if (others.length > 0)
    throw badRequest(
      'floatingip',
      `Port ${port.id} has multiple fixed IPv4 addresses.  Must provide a specific IPv4 address when assigning a floating IP`,
    )
  return first
}
