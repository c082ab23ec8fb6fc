import { listOf, type NetworkStatus } from '../../cloud/infrastructure.ts'
import type { State } from '../../engine/engine.ts'
import { apiVersion, type InfrastructureConfig } from './config/config.ts'
import type { ShootNetworking } from './config/problems/cidr-problems.ts'

interface StatusSubnet {
  readonly purpose: 'nodes' | 'internal' | 'public'
  readonly id: string
  readonly zone: string
}

/**
 * `status.providerStatus`, which Worker and ControlPlane decode strictly
 * (docs/contract/provider-aws.md#infrastructurestatus). As in Go, every field is present: an absent list is null.
 */
export interface InfrastructureStatus {
  readonly apiVersion: typeof apiVersion
  readonly kind: 'InfrastructureStatus'
  readonly ec2: { readonly keyName: string }
  readonly iam: {
    readonly instanceProfiles: readonly { readonly purpose: 'nodes'; readonly name: string }[] | null
    readonly roles: readonly { readonly purpose: 'nodes'; readonly arn: string }[] | null
  }
  readonly vpc: {
    readonly id: string
    readonly subnets: readonly StatusSubnet[] | null
    readonly securityGroups: readonly { readonly purpose: 'nodes'; readonly id: string }[] | null
  }
  readonly elasticFileSystem: { readonly ID: string }
}

export const providerStatusOf = (state: State, config: InfrastructureConfig): InfrastructureStatus => {
  const vpcId = config.networks.vpc.id ?? state.VPC ?? ''
  const known = <T>(value: string | undefined, entry: (value: string) => T): readonly T[] | null =>
    value === undefined ? null : [entry(value)]
  return {
    apiVersion,
    kind: 'InfrastructureStatus',
    ec2: { keyName: state.KeyPair ?? '' },
    iam: {
      instanceProfiles: known(state.IAMInstanceProfileName, name => ({ purpose: 'nodes', name })),
      roles: known(state.IAMRoleARN, arn => ({ purpose: 'nodes', arn })),
    },
    vpc:
      vpcId === ''
        ? { id: '', subnets: null, securityGroups: null }
        : {
            id: vpcId,
            subnets: subnetsOf(state),
            securityGroups: known(state.NodesSecurityGroup, id => ({ purpose: 'nodes', id })),
          },
    elasticFileSystem: { ID: config.elasticFileSystem?.id ?? state.efsSystemID ?? '' },
  }
}

const purposes: Readonly<Record<string, StatusSubnet['purpose']>> = {
  SubnetWorkers: 'nodes',
  SubnetPrivateUtility: 'internal',
  SubnetPublicUtility: 'public',
}
const order = Object.values(purposes)

/** Sorted by zone and purpose. An unstable order would change the status without need. */
const subnetsOf = (state: State): readonly StatusSubnet[] | null => {
  const subnets = Object.entries(state).flatMap(([key, id]): readonly StatusSubnet[] => {
    const [zones, zone, what, more] = key.split('/')
    const purpose = purposes[what ?? '']
    return zones === 'Zones' && zone !== undefined && purpose !== undefined && more === undefined
      ? [{ purpose, id, zone }]
      : []
  })
  if (subnets.length === 0) return null
  return subnets.sort((one, other) =>
    one.zone === other.zone
      ? order.indexOf(one.purpose) - order.indexOf(other.purpose)
      : one.zone < other.zone
        ? -1
        : 1,
  )
}

/**
 * Returns the actual networks of the shoot (docs/contract/provider-aws.md#networking-and-egress). If the VPC has an
 * IPv6 block with a range reserved for services, nodes and pods have addresses of that block and also use them for
 * egress. `status.nodesCIDR` is never set: `networking` holds all CIDRs of the nodes. Each range is listed once
 * (docs/contract/provider-aws-defects.md#egress-cidrs-that-grow).
 */
export const networkStatusOf = (
  state: State,
  { nodes, pods, services }: Omit<ShootNetworking, 'ipFamilies'>,
): NetworkStatus => {
  const block = state.ServiceCIDR === undefined ? undefined : state.VPCIPv6CidrBlock
  const addresses = state.EgressCIDRs?.split(',') ?? []
  return {
    networking: {
      nodes: listOf(block, nodes),
      pods: listOf(block, pods),
      services: listOf(block && state.ServiceCIDR, services),
    },
    egressCIDRs: listOf(...addresses, block),
  }
}
