import { isRecord, recordsOf } from '../../../../../shared/decode/record-of.ts'
import { isAdmin, type KindContext } from '../core/context.ts'
import { flag, list, record, text } from '../core/field-types.ts'
import type { FixedIp, GatewayInfo, RouterItem } from '../core/items.ts'
import { type ItemFields, type ResourceKind, related } from '../core/kind.ts'
import { neutronRefusal } from '../core/refusal.ts'
import { askedAddresses } from './addresses.ts'
import { createServicePort } from './ports.ts'
import { badRequest, networkOf, noRouter, standardFields } from './refusals.ts'
import { addInterface, removeInterface } from './router-interfaces.ts'
import { tagActionsOf } from './tags.ts'

/** The role that may choose addresses and `enable_snat`, beside admins. Neutron's default has none. */
const gatewayRole = 'net_gateway'

export const routers: ResourceKind<'router'> = {
  kind: 'router',
  service: 'network',
  collection: 'routers',
  member: 'router',
  list: 'routers',
  quota: 'router',
  fields: {
    name: text(''),
    description: text(''),
    admin_state_up: flag(true),
    external_gateway_info: record(null, { nullable: true }),
    routes: list([], { inCreate: false }),
    availability_zone_hints: list([], { inUpdate: false }),
  },
  filters: ['status'],
  missing: noRouter,
  policy: ({ external_gateway_info: gateway }, holder, action) => {
    if (!isRecord(gateway) || isAdmin(holder) || holder.roles.includes(gatewayRole)) return undefined
    if (gateway.enable_snat === undefined && gateway.external_fixed_ips === undefined) return undefined
    const rule = `rule:${action}_router`
    const parts = ['network_id', 'enable_snat', 'external_fixed_ips'].filter(
      name => gateway[name] !== undefined,
    )
    const inner = parts.map(part => `${rule}:external_gateway_info:${part}`).join(' and ')
    return `(${rule} and (${rule}:external_gateway_info and (${inner})))`
  },
  build: ({ external_gateway_info: gateway }, context, { id }) => ({
    external_gateway_info: isRecord(gateway) ? openGateway(id, gateway, undefined, context) : null,
    status: 'ACTIVE',
    availability_zones: [],
    flavor_id: null,
    ...standardFields(context),
  }),
  change: (router, fields, context) => {
    const { external_gateway_info: gateway } = fields
    if (gateway === undefined) return fields
    return {
      ...fields,
      external_gateway_info: changedGateway(router, isRecord(gateway) ? gateway : undefined, context),
    }
  },
  view: router => ({ ...router, tenant_id: router.project_id }),
  blockedBy: [
    {
      ...related<'port', 'router'>(
        'port',
        (port, { id }) => port.device_id === id && port.device_owner === 'network:router_interface',
      ),
      refusal: ({ id }, ports) =>
        neutronRefusal(
          409,
          'RouterInUse',
          `Router ${id} has ports still attached: ${ports.map(port => port.id).join(', ')}`,
        ),
    },
  ],
  owns: [related<'port', 'router'>('port', (port, { id }) => port.device_id === id)],
  actions: {
    'PUT add_router_interface': addInterface,
    'PUT remove_router_interface': removeInterface,
    ...tagActionsOf('router'),
  },
}

const gatewayPortOf = (router: string, { store }: KindContext) =>
  store.all('port').find(port => port.device_id === router && port.device_owner === 'network:router_gateway')

/** Creates the port in the external network, and returns what the router shows of it. */
const openGateway = (
  router: string,
  { network_id: id, enable_snat: snat, external_fixed_ips: asked }: ItemFields,
  known: GatewayInfo | undefined,
  context: KindContext,
): GatewayInfo => {
  const network = networkOf(id, context)
  if (!network['router:external'])
    throw badRequest('router', `Network ${network.id} is not an external network`)
  const port = createServicePort(
    {
      network_id: network.id,
      device_id: router,
      device_owner: 'network:router_gateway',
      ...(Array.isArray(asked) && { fixed_ips: asked }),
    },
    '',
    context,
  )
  return gatewayInfo(network.id, snat ?? known?.enable_snat, port.fixed_ips)
}

const gatewayInfo = (network: string, snat: unknown, ips: readonly FixedIp[]): GatewayInfo => ({
  network_id: network,
  enable_snat: snat !== false,
  external_fixed_ips: ips,
})

const changedGateway = (
  router: RouterItem,
  gateway: ItemFields | undefined,
  context: KindContext,
): GatewayInfo | null => {
  const { store } = context
  const present = router.external_gateway_info
  const port = gatewayPortOf(router.id, context)
  if (present !== null && gateway?.network_id !== present.network_id) {
    if (store.all('floatingIp').some(address => address.router_id === router.id))
      throw neutronRefusal(
        409,
        'RouterExternalGatewayInUseByFloatingIp',
        `Gateway cannot be updated for router ${router.id}, since a gateway to external network ${present.network_id} is required by one or more floating IPs.`,
      )
    if (port !== undefined) context.end('port', port.id)
  }
  if (gateway?.network_id === undefined || gateway.network_id === null) return null
  if (present === null || port === undefined || gateway.network_id !== present.network_id)
    return openGateway(router.id, gateway, present ?? undefined, context)
  const { external_fixed_ips: asked, enable_snat: snat } = gateway
  const ips = Array.isArray(asked)
    ? askedAddresses(port, recordsOf(asked), context, port.fixed_ips)
    : port.fixed_ips
  store.patch('port', port.id, { fixed_ips: ips })
  return gatewayInfo(present.network_id, snat ?? present.enable_snat, ips)
}
