import * as z from 'zod'
import type { Observation, Read, State } from '../../engine/engine.ts'
import { isNotFound, listAll, type OpenStackAccess } from '../account/openstack.ts'
import type { DesiredInfrastructure } from './desired.ts'
import {
  listNeutron,
  type Network,
  networkSchema,
  type Port,
  portSchema,
  type Router,
  routerSchema,
  type SecurityGroup,
  type Subnet,
  securityGroupSchema,
  subnetSchema,
} from './neutron.ts'
import { type Owned, owned } from './ownership.ts'

type Reads<T> = Observation<OpenStackAccess, T>

const keyPairSchema = z.object({ name: z.string(), public_key: z.string() })
export type KeyPair = z.output<typeof keyPairSchema>

export const shareNetworkSchema = z.object({
  id: z.string(),
  name: z
    .string()
    .nullish()
    .transform(value => value ?? ''),
  description: z
    .string()
    .nullish()
    .transform(value => value ?? ''),
})
export type ShareNetwork = z.output<typeof shareNetworkSchema>

const loadBalancerSchema = z.object({
  id: z.string(),
  name: z.string(),
  provisioning_status: z.string(),
  vip_subnet_id: z.string().nullish(),
})
export type LoadBalancer = z.output<typeof loadBalancerSchema>

/** The reads of a step. Each reads only what the state, or the read before it, names. */
export interface InfrastructureReads {
  /** The floating pools with the desired name, and networks that may be ours. */
  readonly networks: Reads<readonly Network[]>
  readonly network: Reads<readonly Owned<Network>[]>
  readonly routers: Reads<readonly Router[]>
  readonly router: Reads<readonly Owned<Router>[]>
  /** All subnets of the network. */
  readonly subnets: Reads<readonly Subnet[]>
  /** The ports of the router or, during a deletion, all ports in the network or in our subnets of a given one. */
  readonly ports: Reads<readonly Port[]>
  readonly securityGroups: Reads<readonly SecurityGroup[]>
  readonly keyPair: Reads<KeyPair | undefined>
  readonly shareNetworks: Reads<readonly ShareNetwork[]>
  readonly loadBalancers: Reads<readonly LoadBalancer[]>
}

interface IdInput {
  readonly state: State
  readonly read: Read<OpenStackAccess>
}

/** Returns the id of the network, if it exists. */
export const networkIdOf = async (
  { givenNetwork }: DesiredInfrastructure,
  { network }: InfrastructureReads,
  { state, read }: IdInput,
): Promise<string | undefined> => givenNetwork ?? state.Network ?? (await read(network))[0]?.item.id

export const routerIdOf = async (
  { givenRouter }: DesiredInfrastructure,
  { router }: InfrastructureReads,
  { state, read }: IdInput,
): Promise<string | undefined> => givenRouter ?? state.Router ?? (await read(router))[0]?.item.id

/** Returns the ids of our subnets by their purpose, as far as they exist. */
export const subnetIdsOf = async (
  { subnets }: DesiredInfrastructure,
  reads: InfrastructureReads,
  { state, read }: IdInput,
): Promise<ReadonlyMap<string, string>> => {
  const isKnown = state.Subnet !== undefined
  const listed = isKnown ? [] : await read(reads.subnets)
  return new Map(
    subnets.flatMap(({ purpose, name, stateKey }) => {
      const id = state[stateKey] ?? listed.find(subnet => subnet.name === name)?.id
      return id === undefined ? [] : [[purpose, id] as const]
    }),
  )
}

export const infrastructureReads = (desired: DesiredInfrastructure): InfrastructureReads => {
  const { name, floatingPool, givenNetwork, givenRouter, destroying } = desired

  const networks: Reads<readonly Network[]> = {
    name: 'networks',
    observe: async ({ cloud, state, signal }) => {
      if (destroying && givenNetwork !== undefined) return []
      const list = (query: Readonly<Record<string, readonly string[]>>) =>
        listNeutron(cloud, { path: 'networks', item: networkSchema, query, signal })
      const pool = destroying ? undefined : state.FloatingNetwork
      const ids = [pool, givenNetwork ?? state.Network].filter(id => id !== undefined)
      const byId = ids.length === 0 ? [] : await list({ id: ids })
      const isPoolFound = byId.some(one => one['router:external'] && one.name === floatingPool)
      const names = [
        ...(destroying || isPoolFound ? [] : [floatingPool]),
        ...(givenNetwork !== undefined || byId.some(({ id }) => id === state.Network) ? [] : [name]),
      ]
      return names.length === 0 ? byId : [...byId, ...(await list({ name: names }))]
    },
  }
  const network: Reads<readonly Owned<Network>[]> = {
    name: 'network',
    observe: async ({ state, read }) =>
      owned(
        (await read(networks)).filter(one => !one['router:external']),
        {
          what: 'network',
          desired,
          state,
          stateKey: 'Network',
          name,
        },
      ),
  }
  const routers = byIdOrName(name, {
    path: 'routers',
    item: routerSchema,
    stateKey: 'Router',
    given: givenRouter,
  })
  const router: Reads<readonly Owned<Router>[]> = {
    name: 'router',
    observe: async ({ state, read }) => {
      const pools = destroying ? [] : (await read(networks)).filter(one => one.name === floatingPool)
      return owned(await read(routers), {
        what: 'router',
        desired,
        state,
        stateKey: 'Router',
        name,
        // A router to another external network is not the one of this shoot.
        fits: one => destroying || pools.some(({ id }) => id === one.external_gateway_info?.network_id),
      })
    },
  }
  const reads: InfrastructureReads = {
    networks,
    network,
    routers,
    router,
    subnets: {
      name: 'subnets',
      observe: async ({ cloud, signal, ...context }) => {
        const id = await networkIdOf(desired, reads, context)
        if (id === undefined) return []
        return listNeutron(cloud, { path: 'subnets', item: subnetSchema, query: { network_id: id }, signal })
      },
    },
    ports: {
      name: 'ports',
      observe: async ({ cloud, signal, ...context }) => {
        const query = await (destroying ? portsToDelete : portsOfRouter)(desired, reads, context)
        return query === undefined
          ? []
          : listNeutron(cloud, { path: 'ports', item: portSchema, query, signal })
      },
    },
    securityGroups: byIdOrName(name, {
      path: 'security-groups',
      item: securityGroupSchema,
      stateKey: 'SecurityGroup',
    }),
    keyPair: {
      name: 'key pair',
      observe: async ({ cloud, signal }) => {
        try {
          const answer = await cloud.call({
            service: 'compute',
            method: 'GET',
            path: ['os-keypairs', name],
            answer: z.object({ keypair: keyPairSchema }),
            doing: `reading key pair ${name}`,
            signal,
          })
          return answer.keypair
        } catch (error) {
          if (isNotFound(error)) return undefined
          throw error
        }
      },
    },
    shareNetworks: {
      name: 'share networks',
      observe: async ({ cloud, signal }) =>
        listAll(cloud, {
          service: 'sharev2',
          path: ['share-networks', 'detail'],
          member: 'share_networks',
          item: shareNetworkSchema,
          idOf: ({ id }) => id,
          query: { name },
          doing: 'listing share networks',
          signal,
        }),
    },
    loadBalancers: {
      name: 'load balancers',
      observe: async ({ cloud, signal, ...context }) => {
        const ids = await subnetIdsOf(desired, reads, context)
        const vips = [ids.get('nodes'), ids.get('nodes-ipv6')].filter(id => id !== undefined)
        if (vips.length === 0 || !(await cloud.has('load-balancer'))) return []
        const lists = vips.map(vip =>
          listAll(cloud, {
            service: 'load-balancer',
            path: ['loadbalancers'],
            member: 'loadbalancers',
            item: loadBalancerSchema,
            idOf: ({ id }) => id,
            query: { vip_subnet_id: vip },
            doing: 'listing load balancers',
            signal,
          }),
        )
        return (await Promise.all(lists)).flat()
      },
    },
  }
  return reads
}

type PortQuery = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
  context: IdInput,
) => Promise<Readonly<Record<string, string | readonly string[]>> | undefined>

const portsOfRouter: PortQuery = async (desired, reads, context) => {
  const subnets = await subnetIdsOf(desired, reads, context)
  const id = subnets.size === 0 ? undefined : await routerIdOf(desired, reads, context)
  return id === undefined ? undefined : { device_id: id }
}

const portsToDelete: PortQuery = async (desired, reads, context) => {
  if (desired.givenNetwork === undefined) {
    const id = await networkIdOf(desired, reads, context)
    return id === undefined ? undefined : { network_id: id }
  }
  const ids = [...(await subnetIdsOf(desired, reads, context)).values()]
  return ids.length === 0 ? undefined : { fixed_ips: ids.map(id => `subnet_id=${id}`) }
}

interface ByIdOrName<S extends z.ZodType<{ readonly id: string }>> {
  readonly path: string
  readonly item: S
  readonly stateKey: string
  readonly given?: string | undefined
}

/** Lists by the id of the config or the state and, if there is none or nothing has it, by the name. */
const byIdOrName = <S extends z.ZodType<{ readonly id: string }>>(
  name: string,
  { path, item, stateKey, given }: ByIdOrName<S>,
): Reads<readonly z.output<S>[]> => ({
  name: path,
  observe: async ({ cloud, state, signal }) => {
    const id = given ?? state[stateKey]
    const byId = id === undefined ? [] : await listNeutron(cloud, { path, item, query: { id }, signal })
    if (byId.length > 0 || given !== undefined) return byId
    return listNeutron(cloud, { path, item, query: { name }, signal })
  },
})
