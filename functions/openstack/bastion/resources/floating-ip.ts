import { isIPv4 } from 'node:net'
import * as z from 'zod'
import { configurationProblem, RequeueAfterError } from '../../../../shared/contract/errors.ts'
import type { Found, ResourceType } from '../../../../terraform-free-infra/engine/engine.ts'
import type { OpenStackAccess } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import type { DesiredBastion } from '../request.ts'
import { isDeleting } from '../state.ts'
import { addressSchema, type BastionLists, type ListedAddress, listItems } from './lists.ts'
import { ownership } from './ownership.ts'
import { serverKey } from './server.ts'

export interface AddressOutcome {
  readonly address: string
}

export type AddressAttributes = {
  /** The server that it leads to. */
  readonly server: string | undefined
}

export const addressKey = 'FloatingIP'

const answer = z.object({ floatingip: addressSchema })

const fixedIp = z.object({ subnet_id: z.string(), ip_address: z.string() })
const gateway = z.object({ external_fixed_ips: z.array(fixedIp).optional() })
const routerAnswer = z.object({ router: z.object({ external_gateway_info: gateway.nullish() }) })

/**
 * The floating IP of the bastion. The Go extension finds it by its description, so it has no mark: it is ours if it
 * leads to our server, and likely ours if it leads to none.
 */
export const floatingIpType = (
  { names, uid, network }: DesiredBastion,
  lists: BastionLists,
): ResourceType<OpenStackAccess, AddressAttributes, AddressOutcome> => {
  const found = (
    { id, status, port_id, port_details, floating_ip_address: address }: ListedAddress,
    server = port_details?.device_id,
  ): Found<AddressAttributes, AddressOutcome> => ({
    id,
    key: names.base,
    // Neutron may show an address that leads nowhere as down.
    status: status === 'ERROR' ? 'failed' : status !== 'ACTIVE' && port_id ? 'pending' : 'ready',
    attributes: { server },
    outcome: { address },
  })
  return {
    what: 'floating IP',
    list: async ({ read, state }) => {
      const addresses = await read(lists.addresses)
      const isElsewhere = ({ port_details }: ListedAddress) =>
        port_details && port_details.device_id !== state[serverKey]
      // Without a state, a server of our name is enough.
      const servers = addresses.some(isElsewhere) ? await read(lists.servers) : []
      const mark = ownership(
        addresses,
        { uid, recorded: state[addressKey], isDeleting: isDeleting(state) },
        one => {
          const server = one.port_details?.device_id
          return isElsewhere(one) && !servers.some(({ id }) => id === server) ? server : server && uid
        },
        `floating IPs with the description ${names.base}`,
      )
      return addresses.map(one => ({ ...found(one), ...mark(one) }))
    },
    create: async ({ cloud, signal, attributes: { server = '' } }) => {
      const [port_id, subnet_id] = await Promise.all([
        portOf(cloud, server, signal),
        poolSubnetOf(cloud, network?.routerId ?? '', signal),
      ])
      const pool = { floating_network_id: network?.floatingNetworkId, subnet_id }
      const body = { floatingip: { description: names.base, ...pool, port_id } }
      const doing = `creating floating IP ${names.base}`
      const call = { service: 'network', method: 'POST', path: ['floatingips'], body, answer } as const
      const { floatingip } = await cloud.call({ ...call, doing, signal })
      return found(floatingip, server)
    },
    update: async ({ cloud, signal, found: { id }, attributes: { server = '' } }) => {
      const port_id = await portOf(cloud, server, signal)
      const body = { floatingip: { port_id } }
      const doing = `associating floating IP ${names.base} (${id}) with server ${server}`
      const call = { service: 'network', method: 'PUT', path: ['floatingips', id], body, answer } as const
      const { floatingip } = await cloud.call({ ...call, doing, signal })
      return found(floatingip, server)
    },
    remove: async ({ cloud, signal, found: { id } }) => {
      const doing = `releasing floating IP ${names.base} (${id})`
      await cloud.call({ service: 'network', method: 'DELETE', path: ['floatingips', id], doing, signal })
      return 'gone'
    },
    doubles: true,
    firstPollMs: 1_000,
  }
}

/** A server that has just started may not have its address yet, in ms. */
const noPortMs = 5_000

/** Returns the port of a server with an IPv4 address, whatever the name of its network. */
const portOf = async (cloud: OpenStackAccess, server: string, signal: AbortSignal): Promise<string> => {
  const item = z.object({ id: z.string(), fixed_ips: z.array(z.object({ ip_address: z.string() })) })
  const query = { device_id: server }
  const ports = await listItems(cloud, {
    service: 'network',
    path: ['ports'],
    query,
    member: 'ports',
    item,
    signal,
  })
  const port = ports.find(({ fixed_ips }) => fixed_ips.some(({ ip_address }) => isIPv4(ip_address)))
  if (port !== undefined) return port.id
  throw new RequeueAfterError(new Error(`server ${server} has no port with an IPv4 address yet`), noPortMs)
}

/** Returns the subnet of the external network from which the router has its IPv4 address. */
const poolSubnetOf = async (cloud: OpenStackAccess, id: string, signal: AbortSignal): Promise<string> => {
  const path = ['routers', id]
  const doing = `reading router ${id}`
  const { router } = await cloud.call({
    service: 'network',
    method: 'GET',
    path,
    answer: routerAnswer,
    doing,
    signal,
  })
  const addresses = router.external_gateway_info?.external_fixed_ips ?? []
  const address = addresses.find(({ ip_address }) => isIPv4(ip_address))
  if (address !== undefined) return address.subnet_id
  throw configurationProblem(
    `router ${id} of the shoot has no external IPv4 address, so a bastion cannot be reached. Add a gateway to it`,
  )
}
