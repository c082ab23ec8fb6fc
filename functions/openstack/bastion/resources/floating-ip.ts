import { isIPv4 } from 'node:net'
import * as z from 'zod'
import { configurationProblem, RequeueAfterError } from '../../../../shared/contract/errors.ts'
import type { Found, ResourceType } from '../../../../terraform-free-infra/engine/engine.ts'
import type { OpenStackAccess } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import type { DesiredBastion } from '../request.ts'
import { addressSchema, type BastionLists, type ListedAddress } from './lists.ts'
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

/**
 * The floating IP of the bastion. The Go extension finds it by its description, so it has no mark: it is ours if it
 * leads to our server or to none.
 */
export const floatingIpType = (
  { names, uid, network }: DesiredBastion,
  lists: BastionLists,
): ResourceType<OpenStackAccess, AddressAttributes, AddressOutcome> => {
  const found = (
    { id, status, port_id, floating_ip_address: address }: ListedAddress,
    server: string | undefined,
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
    list: async ({ cloud, read, state }) => {
      const addresses = await read(lists.addresses)
      const servers = new Map(
        await Promise.all(addresses.map(async one => [one.id, await serverOf(cloud, one)] as const)),
      )
      const leads = [...servers.values()].some(id => id !== undefined && id !== state[serverKey])
      const ourServers = leads ? (await read(lists.servers)).map(({ id }) => id) : []
      const mark = ownership(
        addresses,
        { uid, recorded: state[addressKey] },
        ({ id }) => {
          const server = servers.get(id)
          return server === state[serverKey] || (server && ourServers.includes(server))
            ? server && uid
            : server
        },
        `floating IPs with the description ${names.base}`,
      )
      return addresses.map(one => ({ ...found(one, servers.get(one.id)), ...mark(one) }))
    },
    create: async ({ cloud, signal, attributes: { server = '' } }) => {
      const [port_id, subnet_id] = await Promise.all([
        portOf(cloud, server, signal),
        poolSubnetOf(cloud, network?.routerId ?? '', signal),
      ])
      const { floatingip } = await cloud.call({
        service: 'network',
        method: 'POST',
        path: ['floatingips'],
        body: {
          floatingip: {
            description: names.base,
            floating_network_id: network?.floatingNetworkId,
            subnet_id,
            port_id,
          },
        },
        answer,
        doing: `creating floating IP ${names.base}`,
        signal,
      })
      return found(floatingip, server)
    },
    update: async ({ cloud, signal, found: { id }, attributes: { server = '' } }) => {
      const port_id = await portOf(cloud, server, signal)
      const { floatingip } = await cloud.call({
        service: 'network',
        method: 'PUT',
        path: ['floatingips', id],
        body: { floatingip: { port_id } },
        answer,
        doing: `associating floating IP ${names.base} (${id}) with server ${server}`,
        signal,
      })
      return found(floatingip, server)
    },
    remove: async ({ cloud, signal, found: { id } }) => {
      await cloud.call({
        service: 'network',
        method: 'DELETE',
        path: ['floatingips', id],
        doing: `releasing floating IP ${names.base} (${id})`,
        signal,
      })
      return 'gone'
    },
    doubles: true,
    firstPollMs: 1_000,
  }
}

/** Returns the server that an address leads to. */
const serverOf = async (
  cloud: OpenStackAccess,
  { port_id, port_details }: ListedAddress,
): Promise<string | undefined> => {
  if (!port_id) return undefined
  if (port_details) return port_details.device_id
  const { port } = await cloud.call({
    service: 'network',
    method: 'GET',
    path: ['ports', port_id],
    answer: z.object({ port: z.object({ device_id: z.string() }) }),
    doing: `reading port ${port_id}`,
  })
  return port.device_id
}

/** A server that has just started may not have its address yet, in ms. */
const noPortMs = 5_000

/** Returns the port of a server with an IPv4 address, whatever the name of its network. */
const portOf = async (cloud: OpenStackAccess, server: string, signal: AbortSignal): Promise<string> => {
  const { ports } = await cloud.call({
    service: 'network',
    method: 'GET',
    path: ['ports'],
    query: { device_id: server },
    answer: z.object({
      ports: z.array(z.object({ id: z.string(), fixed_ips: z.array(z.object({ ip_address: z.string() })) })),
    }),
    doing: `listing the ports of server ${server}`,
    signal,
  })
  const port = ports.find(({ fixed_ips }) => fixed_ips.some(({ ip_address }) => isIPv4(ip_address)))
  if (port !== undefined) return port.id
  throw new RequeueAfterError(new Error(`server ${server} has no port with an IPv4 address yet`), noPortMs)
}

/** Returns the subnet of the external network from which the router has its IPv4 address. */
const poolSubnetOf = async (cloud: OpenStackAccess, id: string, signal: AbortSignal): Promise<string> => {
  const { router } = await cloud.call({
    service: 'network',
    method: 'GET',
    path: ['routers', id],
    answer: z.object({
      router: z.object({
        external_gateway_info: z
          .object({
            external_fixed_ips: z
              .array(z.object({ subnet_id: z.string(), ip_address: z.string() }))
              .optional(),
          })
          .nullish(),
      }),
    }),
    doing: `reading router ${id}`,
    signal,
  })
  const addresses = router.external_gateway_info?.external_fixed_ips ?? []
  const address = addresses.find(({ ip_address }) => isIPv4(ip_address))
  if (address !== undefined) return address.subnet_id
  throw configurationProblem(
    `router ${id} of the shoot has no external IPv4 address, so a bastion cannot be reached. Add a gateway to it`,
  )
}
