import type { State } from '../../engine/engine.ts'
import { apiVersion } from '../account/config/config.ts'
import { type InfrastructureConfig, workersOf } from './config/config.ts'
import type { DesiredSubnet, ShootFacts } from './desired.ts'

interface StatusSubnet {
  readonly purpose: DesiredSubnet['purpose']
  readonly id: string
  /** Empty for IPv6, as in Go. */
  readonly cidr: string
}

/** `status.providerStatus`, which Worker, ControlPlane and Bastion read (docs/contract/provider-openstack.md#infrastructurestatus). */
export interface ProviderStatus {
  readonly apiVersion: typeof apiVersion
  readonly kind: 'InfrastructureStatus'
  readonly networks: {
    readonly id: string
    readonly name: string
    readonly floatingPool: { readonly id: string; readonly name: string }
    readonly router: { readonly id: string; readonly ip: string; readonly externalFixedIP: readonly string[] }
    readonly subnets: readonly StatusSubnet[]
    readonly shareNetwork?: { readonly id: string; readonly name: string }
  }
  readonly node: { readonly keyName: string }
  readonly securityGroups: readonly {
    readonly purpose: 'nodes'
    readonly id: string
    readonly name: string
  }[]
}

/** @param addresses the external addresses of the router */
export const providerStatusOf = (
  state: State,
  config: InfrastructureConfig,
  addresses: readonly string[],
): ProviderStatus => {
  const subnet = (purpose: StatusSubnet['purpose'], key: string, cidr = ''): readonly StatusSubnet[] => {
    const { [key]: id } = state
    return id === undefined ? [] : [{ purpose, id, cidr }]
  }
  return {
    apiVersion,
    kind: 'InfrastructureStatus',
    networks: {
      id: state.Network ?? '',
      name: state.NetworkName ?? '',
      floatingPool: { id: state.FloatingNetwork ?? '', name: state.FloatingNetworkName ?? '' },
      router: { id: state.Router ?? '', ip: addresses[0] ?? '', externalFixedIP: addresses },
      subnets: [
        ...subnet('nodes', 'Subnet', state.WorkersCIDR ?? workersOf(config)),
        ...subnet('nodes-ipv6', 'SubnetIPv6'),
        ...subnet('pods', 'SubnetIPv6Pod'),
        ...subnet('services', 'SubnetIPv6Svc'),
      ],
      ...(state.ShareNetwork !== undefined && {
        shareNetwork: { id: state.ShareNetwork, name: state.ShareNetworkName ?? '' },
      }),
    },
    node: { keyName: state.KeyPair ?? '' },
    securityGroups:
      state.SecurityGroup === undefined
        ? []
        : [{ purpose: 'nodes', id: state.SecurityGroup, name: state.SecurityGroupName ?? '' }],
  }
}

/** The part of a merge patch on `status` that holds the networks. Null removes an outdated value. */
export interface NetworkStatus {
  readonly networking: {
    readonly nodes: readonly string[] | null
    readonly pods: readonly string[] | null
    readonly services: readonly string[] | null
  }
  readonly egressCIDRs: readonly string[] | null
}

/** Returns the actual networks of the shoot: those of its spec, and those that subnet pools chose. */
export const networkStatusOf = (
  state: State,
  { nodes, pods, services }: Pick<ShootFacts, 'nodes' | 'pods' | 'services'>,
  addresses: readonly string[],
): NetworkStatus => ({
  networking: {
    nodes: listOf(nodes, state.WorkersCIDR, state.NodeSubnetIPv6CIDR),
    pods: listOf(pods, state.PodSubnetIPv6CIDR),
    services: listOf(services, state.ServiceSubnetIPv6CIDR),
  },
  egressCIDRs: listOf(...addresses.map(address => `${address}/${address.includes(':') ? 128 : 32}`)),
})

/** Returns each value once, in the given order. Returns null if there is no value. */
const listOf = (...values: readonly (string | undefined)[]): readonly string[] | null => {
  const known = values.filter((value): value is string => value !== undefined && value !== '')
  return known.length === 0 ? null : [...new Set(known)]
}
