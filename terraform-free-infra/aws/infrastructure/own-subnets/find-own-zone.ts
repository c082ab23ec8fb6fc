import type { RouteTable, RouteTableAssociation, Subnet } from '@aws-sdk/client-ec2'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { DesiredInfrastructure, OwnZone } from '../desired-infrastructure.ts'
import { ipv6BlockOf } from '../network/subnets/ipv6-blocks.ts'
import { isAssociated } from '../network/subnets/route-table.ts'
import { clusterTag, readTags } from '../tags.ts'

export type LoadBalancerRole = 'public' | 'internal'

/** The tags by which load balancers find their subnets (docs/contract/provider-aws.md#names-and-tags). */
export const roleTags: Readonly<Record<LoadBalancerRole, string>> = {
  public: 'kubernetes.io/role/elb',
  internal: 'kubernetes.io/role/internal-elb',
}
/** The tag that marks a role tag of a subnet as Gardener's. */
export const managedTag = 'gardener.cloud/managed-tag'

export interface OwnSubnet {
  readonly id: string
  readonly cidr: string | undefined
  readonly ipv6: string | undefined
  /** True if the user has set its role tag. */
  readonly hasRole: boolean
}

export interface OwnZoneOutcome extends OwnSubnet {
  readonly public: OwnSubnet | undefined
  readonly internal: OwnSubnet | undefined
  /** The route table of the nodes. Undefined if route tables get no tags. */
  readonly routeTable: string | undefined
}

/**
 * Returns the resources of a zone with the user's subnets, or undefined while the subnet of the nodes does not exist.
 */
export const findOwnZone = (
  desired: Pick<DesiredInfrastructure, 'clusterName'>,
  zone: OwnZone,
  vpc: { readonly subnets: readonly Subnet[]; readonly tables: readonly RouteTable[] },
): OwnZoneOutcome | undefined => {
  const workers = vpc.subnets.find(({ SubnetId }) => SubnetId === zone.workers)
  if (workers === undefined) return undefined
  const of = (role: LoadBalancerRole): OwnSubnet | undefined => {
    const known = vpc.subnets.find(({ SubnetId }) => SubnetId === zone[role])
    const subnet = known ?? discovered(desired, zone, role, vpc.subnets)[0]
    return subnet === undefined ? undefined : ownSubnet(subnet, roleTags[role])
  }
  return {
    ...ownSubnet(workers, ''),
    public: of('public'),
    internal: of('internal'),
    routeTable: tableOf(zone.workers, vpc.tables),
  }
}

/**
 * Checks the subnets of a zone that the user has tagged for load balancers of the cluster. There may be at most one,
 * and it must be that of the config.
 *
 * @throws CodedError that names them
 */
export const checkDiscovery = (
  desired: Pick<DesiredInfrastructure, 'clusterName'>,
  zone: OwnZone,
  subnets: readonly Subnet[],
): void => {
  for (const role of ['public', 'internal'] as const) {
    const found = discovered(desired, zone, role, subnets).map(({ SubnetId }) => SubnetId)
    const named = zone[role]
    const tags = `${roleTags[role]}=1 and ${clusterTag(desired)}`
    if (found.length > 1)
      throw configurationProblem(
        `zone ${zone.name}: several subnets have the tags ${tags}: ${found.join(', ')}. Remove them from all but one`,
      )
    if (named !== undefined && found[0] !== undefined && found[0] !== named)
      throw configurationProblem(
        `zone ${zone.name}: ${role}SubnetID is ${named}, but ${found[0]} has the tags ${tags}. Remove them there`,
      )
  }
}

const discovered = (
  desired: Pick<DesiredInfrastructure, 'clusterName'>,
  zone: OwnZone,
  role: LoadBalancerRole,
  subnets: readonly Subnet[],
): readonly Subnet[] =>
  subnets
    .filter(({ AvailabilityZone, Tags }) => {
      const tags = readTags(Tags)
      return (
        AvailabilityZone === zone.name &&
        tags[roleTags[role]] === '1' &&
        tags[clusterTag(desired)] !== undefined
      )
    })
    .sort((one, other) => ((one.SubnetId ?? '') < (other.SubnetId ?? '') ? -1 : 1))

const ownSubnet = (
  { SubnetId: id = '', CidrBlock, Ipv6CidrBlockAssociationSet, Tags }: Subnet,
  roleTag: string,
): OwnSubnet => {
  const tags = readTags(Tags)
  return {
    id,
    cidr: CidrBlock,
    ipv6: ipv6BlockOf(Ipv6CidrBlockAssociationSet).block,
    hasRole: tags[roleTag] !== undefined && tags[managedTag] !== roleTag,
  }
}

/** A subnet without an explicit route table uses the VPC's main table. */
export const tableOf = (subnet: string, tables: readonly RouteTable[]): string | undefined => {
  const withOne = (fits: (association: RouteTableAssociation) => boolean) =>
    tables.find(({ Associations = [] }) =>
      Associations.some(association => isAssociated(association) && fits(association)),
    )?.RouteTableId
  return withOne(({ SubnetId }) => SubnetId === subnet) ?? withOne(({ Main }) => Main === true)
}
