import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import { isNotFound, isRefusal, type OpenStackAccess } from '../../account/openstack.ts'
import { change, create, type Item, kinds, listOf, read as readOne, removing } from '../calls.ts'
import { subnetMatcher } from '../config/floating-subnet.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import { identityOf, markOf } from '../ownership.ts'
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

export const externalAddressesOf = ({ external_gateway_info }: Item<'router'>): readonly string[] =>
  (external_gateway_info?.external_fixed_ips ?? []).map(({ ip_address }) => ip_address)

const found = (
  router: Item<'router'>,
  key: string,
  floatingSubnet: string | undefined,
): Found<RouterAttributes, RouterOutcome> => ({
  ...identityOf(router, key),
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
        (await read(reads.routers)).map(router => ({ ...found(router, name, undefined), foreign: true })),
    }
  return {
    what: 'router',
    doubles: true,
    pollMs: 1_000,
    patienceMs: 10_000,
    timeoutMs: 60_000,
    list: async ({ read, state }) =>
      (await read(reads.ownRouters)).map(router => found(router, name, state.FloatingPoolSubnetName)),
    create: async ({ cloud, signal, attributes: { floatingNetwork, enableSnat } }) => {
      const gateway = {
        network_id: floatingNetwork,
        ...(enableSnat !== undefined && { enable_snat: enableSnat }),
      }
      const createWith = (addresses: object) => {
        const body = {
          name,
          description: markOf(desired),
          external_gateway_info: { ...gateway, ...addresses },
        }
        return create(cloud, kinds.router, body, signal)
      }
      if (floatingSubnet === undefined) return found(await createWith({}), name, undefined)
      const subnets = await listOf(cloud, kinds.subnet, { network_id: floatingNetwork }, signal)
      const made = await firstThatFits(matching(subnets, floatingSubnet), id =>
        createWith({ external_fixed_ips: [{ subnet_id: id }] }),
      )
      return found(made, name, floatingSubnet)
    },
    update: async ({
      cloud,
      signal,
      found: { id },
      changes,
      attributes: { floatingNetwork, enableSnat },
    }) => {
      const changed = new Set(changes.map(({ attribute }) => attribute))
      // A change of the gateway without its addresses would exchange them. Another network has others.
      const gateway = changed.has('enableSnat')
        ? (await readOne(cloud, kinds.router, id, signal)).external_gateway_info
        : {}
      const body = {
        name,
        ...((changed.has('floatingNetwork') || changed.has('enableSnat')) && {
          external_gateway_info: {
            ...(!changed.has('floatingNetwork') && gateway),
            network_id: floatingNetwork,
            ...(enableSnat !== undefined && { enable_snat: enableSnat }),
          },
        }),
      }
      return found(await change(cloud, kinds.router, [id, body], signal), name, floatingSubnet)
    },
    remove: removing(kinds.router),
  }
}

const matching = (subnets: readonly Item<'subnet'>[], pattern: string): readonly string[] => {
  const fits = subnetMatcher(pattern)
  const ids = subnets.filter(({ name }) => fits(name)).map(({ id }) => id)
  if (ids.length > 0) return ids
  const names = subnets.map(({ name }) => name).sort()
  throw configurationProblem(
    `spec.providerConfig.floatingPoolSubnetName: no subnet of the floating network matches ${JSON.stringify(pattern)}; it has ${names.join(', ') || 'no subnets'}`,
  )
}

/** Tries one subnet after the other, as long as they are full or gone. */
const firstThatFits = async <T>(
  [first = '', ...others]: readonly string[],
  createIn: (subnet: string) => Promise<T>,
): Promise<T> => {
  try {
    return await createIn(first)
  } catch (error) {
    const isNext =
      isNotFound(error) || isRefusal(error, 'IpAddressGenerationFailure', 'ExternalIpAddressExhausted')
    if (!isNext || others.length === 0) throw error
    return firstThatFits(others, createIn)
  }
}
