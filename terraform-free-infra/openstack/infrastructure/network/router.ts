import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import { isNotFound, isRefusal, type OpenStackAccess } from '../../account/openstack.ts'
import { subnetMatcher } from '../config/floating-subnet.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import {
  deleteNeutron,
  externalAddressesOf,
  listNeutron,
  type Router,
  routerSchema,
  subnetSchema,
  writeNeutron,
} from '../neutron.ts'
import { markOf } from '../ownership.ts'
import type { InfrastructureReads } from '../reads.ts'

/** A router, for its interfaces and the status. */
export interface RouterOutcome {
  readonly id: string
  /** External addresses, in the order of Neutron. */
  readonly addresses: readonly string[]
  /** The pattern of subnets by which it was created. */
  readonly floatingSubnet: string | undefined
}
type RouterAttributes = {
  readonly name: string
  readonly floatingNetwork: string
  /** Undefined: as Neutron decides. Only administrators may set it. */
  readonly enableSnat: boolean | undefined
}

/** A router with high availability is built after its creation. */
const pending: ReadonlySet<string> = new Set(['ALLOCATING', 'BUILD', 'PENDING_CREATE'])

const found = (
  router: Router,
  key: string,
  floatingSubnet: string | undefined,
): Found<RouterAttributes, RouterOutcome> => ({
  id: router.id,
  key,
  status: pending.has(router.status) ? 'pending' : 'ready',
  attributes: {
    name: router.name,
    floatingNetwork: router.external_gateway_info?.network_id,
    enableSnat: router.external_gateway_info?.enable_snat,
  },
  outcome: { id: router.id, addresses: externalAddressesOf(router), floatingSubnet },
  uses: [],
})

/** The router to the floating network: created, or the user's. */
export const routerType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, RouterAttributes, RouterOutcome> => {
  const { name, givenRouter, floatingSubnet } = desired
  if (givenRouter !== undefined)
    return {
      what: 'router',
      list: async ({ read }) =>
        (await read(reads.routers)).map(router => ({
          ...found(router, name, undefined),
          foreign: true,
        })),
    }
  return {
    what: 'router',
    doubles: true,
    pollMs: 1_000,
    patienceMs: 10_000,
    timeoutMs: 60_000,
    list: async ({ read, state }) =>
      (await read(reads.router)).map(({ item, ours }) => ({
        ...found(item, name, state.FloatingPoolSubnetName),
        ...(ours && { ours }),
      })),
    create: async ({ cloud, signal, attributes: { floatingNetwork, enableSnat } }) => {
      const createAt = (subnet: string | undefined): Promise<Router> =>
        writeNeutron(cloud, 'POST', {
          path: ['routers'],
          member: 'router',
          item: routerSchema,
          body: {
            name,
            description: markOf(desired),
            external_gateway_info: {
              network_id: floatingNetwork,
              ...(enableSnat !== undefined && { enable_snat: enableSnat }),
              ...(subnet !== undefined && { external_fixed_ips: [{ subnet_id: subnet }] }),
            },
          },
          doing: `creating router ${name}`,
          signal,
        })
      if (floatingSubnet === undefined) return found(await createAt(undefined), name, undefined)
      const subnets = await matchingSubnets(cloud, { floatingNetwork, floatingSubnet, signal })
      return found(await firstThatFits(subnets, createAt), name, floatingSubnet)
    },
    update: async ({ cloud, signal, found: { id }, changes, attributes }) => {
      const isChanged = (attribute: keyof RouterAttributes) =>
        changes.some(change => change.attribute === attribute)
      const isMoved = isChanged('floatingNetwork')
      const addresses = isMoved ? undefined : await addressesOf(cloud, id, signal)
      const changed = await writeNeutron(cloud, 'PUT', {
        path: ['routers', id],
        member: 'router',
        item: routerSchema,
        body: {
          name: attributes.name,
          ...((isMoved || isChanged('enableSnat')) && {
            external_gateway_info: {
              network_id: attributes.floatingNetwork,
              ...(attributes.enableSnat !== undefined && { enable_snat: attributes.enableSnat }),
              ...(addresses !== undefined && { external_fixed_ips: addresses }),
            },
          }),
        },
        doing: `updating router ${name}`,
        signal,
      })
      return found(changed, name, floatingSubnet)
    },
    remove: ({ cloud, found: { id }, signal }) => deleteNeutron(cloud, ['routers', id], signal),
  }
}

/** A change of the gateway without its addresses would exchange them. */
const addressesOf = async (cloud: OpenStackAccess, id: string, signal: AbortSignal) => {
  const [router] = await listNeutron(cloud, { path: 'routers', item: routerSchema, query: { id }, signal })
  return router?.external_gateway_info?.external_fixed_ips
}

interface SubnetSearch {
  readonly floatingNetwork: string
  readonly floatingSubnet: string
  readonly signal: AbortSignal
}

const matchingSubnets = async (
  cloud: OpenStackAccess,
  { floatingNetwork, floatingSubnet, signal }: SubnetSearch,
): Promise<readonly string[]> => {
  const query = { network_id: floatingNetwork }
  const subnets = await listNeutron(cloud, { path: 'subnets', item: subnetSchema, query, signal })
  const fits = subnetMatcher(floatingSubnet)
  const matching = subnets.filter(subnet => fits(subnet.name)).map(({ id }) => id)
  if (matching.length > 0) return matching
  const names = subnets.map(subnet => subnet.name).sort()
  throw configurationProblem(
    `spec.providerConfig.floatingPoolSubnetName: no subnet of the floating network matches ${JSON.stringify(floatingSubnet)}; it has ${names.join(', ') || 'no subnets'}`,
  )
}

/** Tries one subnet after the other, as long as they are full or gone. */
const firstThatFits = async (
  [first = '', ...others]: readonly string[],
  createAt: (subnet: string) => Promise<Router>,
): Promise<Router> => {
  try {
    return await createAt(first)
  } catch (error) {
    const isNext =
      isNotFound(error) || isRefusal(error, 'IpAddressGenerationFailure', 'ExternalIpAddressExhausted')
    if (!isNext || others.length === 0) throw error
    return firstThatFits(others, createAt)
  }
}
