import { overlaps, parseCidr } from '../../../../../terraform-free-infra/cloud/cidr.ts'
import type { KindContext } from '../core/context.ts'
import type { PortItem, RouterItem, SubnetItem } from '../core/items.ts'
import { type ItemFields, isOwned } from '../core/kind.ts'
import { jsonAnswer, type ServiceAnswer } from '../core/message.ts'
import { neutronRefusal } from '../core/refusal.ts'
import { isInRange } from './addresses.ts'
import { activate, createServicePort } from './ports.ts'
import { badRequest, portOf, subnetOf } from './refusals.ts'

const deviceOwner = 'network:router_interface'

const portsOf = (router: RouterItem, { store }: KindContext): readonly PortItem[] =>
  store.all('port').filter(port => port.device_id === router.id && port.device_owner === deviceOwner)

const answerWith = (router: RouterItem, port: PortItem, subnets: readonly string[]): ServiceAnswer =>
  jsonAnswer(200, {
    id: router.id,
    project_id: router.project_id,
    port_id: port.id,
    network_id: port.network_id,
    subnet_id: subnets[0],
    subnet_ids: subnets,
  })

/** `neutron/db/l3_db.py`: `add_router_interface`. */
export const addInterface = (router: RouterItem, asked: ItemFields, context: KindContext): ServiceAnswer => {
  if (asked.subnet_id === undefined && asked.port_id === undefined)
    throw badRequest('router', 'Either subnet_id or port_id must be specified')
  if (asked.subnet_id !== undefined && asked.port_id !== undefined)
    throw badRequest('router', 'Cannot specify both subnet-id and port-id')
  if (asked.port_id !== undefined) return addPort(router, portOf(asked.port_id, context), context)
  const subnet = subnetOf(asked.subnet_id, context)
  if (subnet.gateway_ip === null)
    throw badRequest('router', 'Subnet for router interface must have a gateway IP')
  if (!isOwned(subnet, context.holder))
    throw badRequest(
      'router',
      `Cannot add interface to router because subnet ${subnet.id} is not owned by project making the request`,
    )
  checkSubnet(router, subnet, context)
  const port = createServicePort(
    {
      network_id: subnet.network_id,
      device_id: router.id,
      device_owner: deviceOwner,
      fixed_ips: [{ subnet_id: subnet.id, ip_address: subnet.gateway_ip }],
    },
    router.project_id,
    context,
  )
  return answerWith(router, port, [subnet.id])
}

const addPort = (router: RouterItem, port: PortItem, context: KindContext): ServiceAnswer => {
  if (port.device_id !== '')
    throw neutronRefusal(
      409,
      'PortInUse',
      `Unable to complete operation on port ${port.id} for network ${port.network_id}. Port already has an attached device ${port.device_id}.`,
    )
  if (port.fixed_ips.length === 0) throw badRequest('router', 'Router port must have at least one fixed IP')
  const subnets = port.fixed_ips.map(ip => subnetOf(ip.subnet_id, context))
  for (const subnet of subnets) checkSubnet(router, subnet, context)
  context.store.patch('port', port.id, {
    device_id: router.id,
    device_owner: deviceOwner,
    security_groups: [],
    port_security_enabled: false,
  })
  activate(port.id, context)
  return answerWith(
    router,
    port,
    subnets.map(({ id }) => id),
  )
}

/** A router has no two interfaces with the same addresses. */
const checkSubnet = (router: RouterItem, subnet: SubnetItem, context: KindContext): void => {
  for (const { subnet_id: id } of portsOf(router, context).flatMap(port => port.fixed_ips)) {
    if (id === subnet.id) throw badRequest('router', `Router already has a port on subnet ${id}`)
    const other = context.store.get('subnet', id)
    const ranges = [parseCidr(subnet.cidr), other && parseCidr(other.cidr)]
    if (other !== undefined && ranges[0] && ranges[1] && overlaps(ranges[0], ranges[1]))
      throw badRequest(
        'router',
        `Cidr ${subnet.cidr} of subnet ${subnet.id} overlaps with cidr ${other.cidr} of subnet ${other.id}`,
      )
  }
}

/** `neutron/db/l3_db.py`: `remove_router_interface`. */
export const removeInterface = (
  router: RouterItem,
  asked: ItemFields,
  context: KindContext,
): ServiceAnswer => {
  const { port_id: portId, subnet_id: subnetId } = asked
  if (portId === undefined && subnetId === undefined)
    throw badRequest('router', 'Either subnet_id or port_id must be specified')
  const ports = portsOf(router, context)
  if (portId === undefined) subnetOf(subnetId, context)
  const port = ports.find(({ id, fixed_ips }) =>
    portId === undefined ? fixed_ips.some(ip => ip.subnet_id === subnetId) : id === portId,
  )
  if (port === undefined) {
    if (portId === undefined)
      throw neutronRefusal(
        404,
        'RouterInterfaceNotFoundForSubnet',
        `Router ${router.id} has no interface on subnet ${subnetId}`,
      )
    throw neutronRefusal(
      404,
      'RouterInterfaceNotFound',
      `Router ${router.id} does not have an interface with id ${portId}`,
    )
  }
  const subnets = port.fixed_ips.map(ip => ip.subnet_id)
  if (subnetId !== undefined && !subnets.includes(String(subnetId)))
    throw neutronRefusal(
      400,
      'SubnetMismatchForPort',
      `Subnet on port ${port.id} does not match the requested subnet ${subnetId}.`,
    )
  checkUse(router, subnets, context)
  context.end('port', port.id)
  return answerWith(router, port, subnetId === undefined ? subnets : [String(subnetId)])
}

/** Floating IPs and routes need their interface. */
const checkUse = (router: RouterItem, subnets: readonly string[], { store }: KindContext): void => {
  const addresses = store.all('floatingIp').filter(address => address.router_id === router.id)
  for (const id of subnets) {
    const behind = store.all('port').filter(port => port.fixed_ips.some(ip => ip.subnet_id === id))
    if (addresses.some(address => behind.some(port => port.id === address.port_id)))
      throw neutronRefusal(
        409,
        'RouterInterfaceInUseByFloatingIP',
        `Router interface for subnet ${id} on router ${router.id} cannot be deleted, as it is required by one or more floating IPs.`,
      )
    const cidr = store.get('subnet', id)?.cidr
    if (cidr !== undefined && router.routes.some(({ nexthop }) => isInRange(nexthop, cidr)))
      throw neutronRefusal(
        409,
        'RouterInterfaceInUseByRoute',
        `Router interface for subnet ${id} on router ${router.id} cannot be deleted, as it is required by one or more routes.`,
      )
  }
}
