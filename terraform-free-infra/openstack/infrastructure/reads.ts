import type * as z from 'zod'
import type { Observation, Read, State } from '../../engine/engine.ts'
import { isNotFound, type OpenStackAccess } from '../account/openstack.ts'
import { type Item, kinds, listOf, read as readOne } from './calls.ts'
import type { DesiredInfrastructure, DesiredSubnet } from './desired.ts'
import { type Ours, owned } from './ownership.ts'

type Reads<T> = Observation<OpenStackAccess, T>
type Owned<K extends keyof typeof kinds> = readonly (Item<K> & Ours)[]

/** The reads of a step. Each reads only what the state, or the read before it, names. */
export interface InfrastructureReads {
  /** The floating pools with the desired name, and networks that may be ours. */
  readonly networks: Reads<readonly Item<'network'>[]>
  readonly ownNetworks: Reads<Owned<'network'>>
  /** The id of the managed or given network, if it exists. Polls believe the state, to save calls. */
  readonly networkId: Reads<string | undefined>
  readonly routers: Reads<readonly Item<'router'>[]>
  readonly ownRouters: Reads<Owned<'router'>>
  readonly routerId: Reads<string | undefined>
  /** All subnets of the network. */
  readonly subnets: Reads<readonly Item<'subnet'>[]>
  /** The ids of our subnets, as far as they exist. */
  readonly subnetIds: Reads<ReadonlyMap<DesiredSubnet['purpose'], string>>
  /** The ports of the router or, during a deletion, all ports in the network or in our subnets of a given one. */
  readonly ports: Reads<readonly Item<'port'>[]>
  readonly groups: Reads<readonly Item<'group'>[]>
  readonly keyPair: Reads<Item<'keyPair'> | undefined>
  readonly shareNetworks: Reads<readonly Item<'shareNetwork'>[]>
  readonly loadBalancers: Reads<readonly Item<'loadBalancer'>[]>
}

export const infrastructureReads = (desired: DesiredInfrastructure): InfrastructureReads => {
  const { name, floatingPool, givenNetwork, givenRouter, destroying } = desired
  const reads: InfrastructureReads = {
    networks: {
      name: 'networks',
      observe: async ({ cloud, state, signal }) => {
        if (destroying && givenNetwork !== undefined) return []
        const pool = destroying ? undefined : state.FloatingNetwork
        const ids = [pool, givenNetwork ?? state.Network].filter(id => id !== undefined)
        const byId = ids.length === 0 ? [] : await listOf(cloud, kinds.network, { id: ids }, signal)
        const isPoolFound = byId.some(one => one['router:external'] && one.name === floatingPool)
        const isOursFound = givenNetwork !== undefined || byId.some(({ id }) => id === state.Network)
        const names = [...(destroying || isPoolFound ? [] : [floatingPool]), ...(isOursFound ? [] : [name])]
        return names.length === 0
          ? byId
          : [...byId, ...(await listOf(cloud, kinds.network, { name: names }, signal))]
      },
    },
    ownNetworks: {
      name: 'own networks',
      observe: async ({ state, read }) => {
        const networks = (await read(reads.networks)).filter(one => !one['router:external'])
        return owned(networks, { what: 'network', desired, state, stateKey: 'Network' })
      },
    },
    networkId: idRead(destroying, { stateKey: 'Network', given: givenNetwork, own: () => reads.ownNetworks }),
    routers: byIdOrName(name, kinds.router, { stateKey: 'Router', given: givenRouter }),
    ownRouters: {
      name: 'own routers',
      observe: async ({ state, read }) => {
        const pools = destroying ? [] : (await read(reads.networks)).filter(one => one.name === floatingPool)
        return owned(await read(reads.routers), {
          what: 'router',
          desired,
          state,
          stateKey: 'Router',
          // A router to another external network is not the one of this shoot.
          fits: one => destroying || pools.some(({ id }) => id === one.external_gateway_info?.network_id),
        })
      },
    },
    routerId: idRead(destroying, { stateKey: 'Router', given: givenRouter, own: () => reads.ownRouters }),
    subnets: {
      name: 'subnets',
      observe: async ({ cloud, signal, read }) => {
        const id = await read(reads.networkId)
        return id === undefined ? [] : listOf(cloud, kinds.subnet, { network_id: id }, signal)
      },
    },
    subnetIds: {
      name: 'ids of subnets',
      observe: async ({ state, read, polling }) => {
        const isKnown = state.Subnet !== undefined && (polling === true || destroying)
        const listed = isKnown ? [] : await read(reads.subnets)
        return new Map(
          desired.subnets.flatMap(subnet => {
            const own = isKnown
              ? undefined
              : owned(listed, { what: 'subnet', desired, state, ...subnet })[0]?.id
            const id = isKnown ? state[subnet.stateKey] : own
            return id === undefined ? [] : [[subnet.purpose, id] as const]
          }),
        )
      },
    },
    ports: {
      name: 'ports',
      observe: async ({ cloud, signal, read }) => {
        const query = await (destroying ? portsToDelete(desired, reads, read) : portsOfRouter(reads, read))
        return query === undefined ? [] : listOf(cloud, kinds.port, query, signal)
      },
    },
    groups: byIdOrName(name, kinds.group, { stateKey: 'SecurityGroup' }),
    keyPair: {
      name: 'key pair',
      observe: ({ cloud, signal }) =>
        readOne(cloud, kinds.keyPair, name, signal).catch((error: unknown) => {
          if (isNotFound(error)) return undefined
          throw error
        }),
    },
    shareNetworks: {
      name: 'share networks',
      observe: ({ cloud, signal }) => listOf(cloud, kinds.shareNetwork, { name }, signal),
    },
    loadBalancers: {
      name: 'load balancers',
      observe: async ({ cloud, signal, read }) => {
        const ids = await read(reads.subnetIds)
        const vips = [ids.get('nodes'), ids.get('nodes-ipv6')].filter(id => id !== undefined)
        if (vips.length === 0 || !(await cloud.has('load-balancer'))) return []
        const lists = vips.map(vip => listOf(cloud, kinds.loadBalancer, { vip_subnet_id: vip }, signal))
        return (await Promise.all(lists)).flat()
      },
    },
  }
  return reads
}

const portsOfRouter = async ({ subnetIds, routerId }: InfrastructureReads, read: Read<OpenStackAccess>) => {
  const [subnets, router] = await Promise.all([read(subnetIds), read(routerId)])
  return subnets.size === 0 || router === undefined ? undefined : { device_id: router }
}

const portsToDelete = async (
  { givenNetwork }: DesiredInfrastructure,
  { networkId, subnetIds }: InfrastructureReads,
  read: Read<OpenStackAccess>,
) => {
  if (givenNetwork === undefined) {
    const id = await read(networkId)
    return id === undefined ? undefined : { network_id: id }
  }
  const ids = [...(await read(subnetIds)).values()]
  return ids.length === 0 ? undefined : { fixed_ips: ids.map(id => `subnet_id=${id}`) }
}

interface IdInput {
  readonly stateKey: string
  readonly given: string | undefined
  readonly own: () => Reads<readonly { readonly id: string }[]>
}

const idRead = (destroying: boolean, { stateKey, given, own }: IdInput): Reads<string | undefined> => ({
  name: `id of ${stateKey}`,
  observe: async ({
    state,
    read,
    polling,
  }: {
    state: State
    read: Read<OpenStackAccess>
    polling?: boolean
  }) => {
    const known = given ?? (polling || destroying ? state[stateKey] : undefined)
    return known ?? (await read(own()))[0]?.id
  },
})

/** Lists by the id of the config or the state and, if there is none or nothing has it, by the name. */
const byIdOrName = <S extends z.ZodType<{ readonly id: string }>>(
  name: string,
  kind: Parameters<typeof listOf<S>>[1],
  { stateKey, given }: { readonly stateKey: string; readonly given?: string | undefined },
): Reads<readonly z.output<S>[]> => ({
  name: kind.collection,
  observe: async ({ cloud, state, signal }) => {
    const id = given ?? state[stateKey]
    const byId = id === undefined ? [] : await listOf(cloud, kind, { id }, signal)
    return byId.length > 0 || given !== undefined ? byId : listOf(cloud, kind, { name }, signal)
  },
})
