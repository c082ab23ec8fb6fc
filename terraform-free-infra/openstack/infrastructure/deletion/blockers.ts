import { CodedError } from '../../../../shared/contract/errors.ts'
import type { State } from '../../../engine/engine.ts'
import type { Item } from '../calls.ts'
import type { DesiredInfrastructure } from '../desired.ts'

/**
 * Owners of ports that Neutron deletes together with the network (`AUTO_DELETE_PORT_OWNERS` in its
 * `db_base_plugin_common`), and of those that Manila deletes with the share network.
 */
const goesByItself = ({ device_owner }: Item<'port'>): boolean =>
  ['network:dhcp', 'network:distributed', 'network:floatingip_agent_gateway'].includes(device_owner) ||
  device_owner.startsWith('manila:')

/** Servers of others. The servers of load balancers have ports with a name of Octavia, and go with these. */
const isOfServer = ({ device_owner, name }: Item<'port'>): boolean =>
  device_owner.startsWith('compute:') && !name.startsWith('octavia-')

/**
 * Returns the error that names the ports of others in the network or, if it is given, in our subnets. Undefined: there
 * are none.
 *
 * @param hasLoadBalancers true: there are load balancers to delete, with which ports go that no field identifies
 */
export const foreignPortsError = (
  ports: readonly Item<'port'>[],
  { givenRouter, givenNetwork, name }: DesiredInfrastructure,
  state: State,
  hasLoadBalancers: boolean,
): CodedError | undefined => {
  const router = givenRouter ?? state.Router
  const foreign = ports.filter(
    port =>
      !goesByItself(port) &&
      (router === undefined || port.device_id !== router) &&
      (!hasLoadBalancers || isOfServer(port)),
  )
  if (foreign.length === 0) return undefined
  const where = givenNetwork === undefined ? 'network' : 'subnets'
  return inUse(`cannot delete the ${where} of ${name}`, foreign)
}

/** Returns the error for a resource that ports use. */
export const inUse = (sentence: string, ports: readonly Item<'port'>[], cause?: unknown): CodedError => {
  const shown = ports.slice(0, most).map(portText)
  const more = ports.length > most ? [`${ports.length - most} more`] : []
  return new CodedError(
    `${sentence}: in use by ${[...shown, ...more].join('; ')}. Delete these ports or what they belong to`,
    { codes: ['ERR_INFRA_DEPENDENCIES'], cause },
  )
}

/** The most ports that are named. */
const most = 10

const portText = ({ id, name, device_owner, device_id }: Item<'port'>): string =>
  `port ${id}${name === '' ? '' : ` (${name})`}, owner ${device_owner || 'none'}, device ${device_id || 'none'}`
