import type { KindContext } from '../core/context.ts'
import type { NetworkItem, PortItem, SubnetItem } from '../core/items.ts'
import { isOwned } from '../core/kind.ts'
import { neutronRefusal, type ServiceRefusal } from '../core/refusal.ts'

/** The texts are those of `neutron_lib/exceptions`. */
export const invalidInput = (message: string): ServiceRefusal =>
  neutronRefusal(400, 'InvalidInput', `Invalid input for operation: ${message}.`)

export const badRequest = (resource: string, message: string): ServiceRefusal =>
  neutronRefusal(400, 'BadRequest', `Bad ${resource} request: ${message}.`)

const missing =
  (type: string, text: (id: string) => string) =>
  (id: string): ServiceRefusal =>
    neutronRefusal(404, type, text(id))

export const noNetwork = missing('NetworkNotFound', id => `Network ${id} could not be found.`)
export const noSubnet = missing('SubnetNotFound', id => `Subnet ${id} could not be found.`)
export const noSubnetPool = missing('SubnetPoolNotFound', id => `Subnet pool ${id} could not be found.`)
export const noPort = missing('PortNotFound', id => `Port ${id} could not be found.`)
export const noRouter = missing('RouterNotFound', id => `Router ${id} could not be found`)
export const noFloatingIp = missing('FloatingIPNotFound', id => `Floating IP ${id} could not be found`)
export const noGroup = missing('SecurityGroupNotFound', id => `Security group ${id} does not exist`)
export const noRule = missing('SecurityGroupRuleNotFound', id => `Security group rule ${id} does not exist`)

/** Returns true for a shared or external network, which every project sees. */
export const isPublic = (network: NetworkItem): boolean => network.shared || network['router:external']

export const networkOf = (id: unknown, context: KindContext): NetworkItem => {
  const network = context.store.get('network', String(id))
  if (network === undefined || !(isOwned(network, context.holder) || isPublic(network)))
    throw noNetwork(String(id))
  return network
}

export const subnetOf = (id: unknown, context: KindContext): SubnetItem => {
  const subnet = context.store.get('subnet', String(id))
  const network = subnet && context.store.get('network', subnet.network_id)
  const isThere =
    subnet !== undefined && (isOwned(subnet, context.holder) || (network !== undefined && isPublic(network)))
  if (!isThere) throw noSubnet(String(id))
  return subnet
}

export const portOf = (id: unknown, context: KindContext): PortItem => {
  const port = context.store.get('port', String(id))
  if (port === undefined || !isOwned(port, context.holder)) throw noPort(String(id))
  return port
}

/** The fields that Neutron adds to every resource. */
export const standardFields = ({ now }: Pick<KindContext, 'now'>) => {
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`
  return { tags: [], revision_number: 1, created_at: time, updated_at: time }
}
