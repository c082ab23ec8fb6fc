import { listOf, type NetworkStatus } from '../../cloud/infrastructure.ts'
import type { State } from '../../engine/engine.ts'
import { apiVersion, type InfrastructureStatus } from '../account/config/config.ts'
import { type InfrastructureConfig, workersOf } from './config/config.ts'
import type { DesiredSubnet, ShootFacts } from './desired.ts'

/**
 * Returns `status.providerStatus`, which Worker, ControlPlane and Bastion read
 * (docs/contract/provider-openstack.md#infrastructurestatus).
 *
 * @param addresses the external addresses of the router
 */
export const providerStatusOf = (
  state: State,
  config: InfrastructureConfig,
  addresses: readonly string[],
): InfrastructureStatus => {
  // Those of IPv6 have no CIDR, as in Go.
  const subnet = (purpose: DesiredSubnet['purpose'], key: string, cidr = '') => {
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
      router: { id: state.Router ?? '', ip: addresses[0] ?? '', externalFixedIP: [...addresses] },
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
