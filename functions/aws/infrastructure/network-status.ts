import type { ShootNetworking } from '../../../terraform-free-infra/aws/infrastructure/config/problems/cidr-problems.ts'
import type { State } from '../../../terraform-free-infra/engine/engine.ts'

/** The part of a merge patch on `status` that tells the networks; null removes what is no longer so. */
export interface NetworkStatus {
  readonly networking: {
    readonly nodes: readonly string[] | null
    readonly pods: readonly string[] | null
    readonly services: readonly string[] | null
  }
  readonly egressCIDRs: readonly string[] | null
}

/**
 * The networks of the shoot as they came out (docs/contract/provider-aws.md#networking-and-egress). Where the VPC has
 * an IPv6 block and a range of it is reserved for services, nodes and pods have addresses of that block, and leave
 * with them. `status.nodesCIDR` is never set: the nodes' CIDRs are all in `networking`.
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

/**
 * Each once (docs/contract/provider-aws-defects.md#egress-cidrs-that-grow), in the order given; null when there is
 * none.
 */
const listOf = (...values: readonly (string | undefined)[]): readonly string[] | null => {
  const known = values.filter((value): value is string => value !== undefined && value !== '')
  return known.length === 0 ? null : [...new Set(known)]
}
