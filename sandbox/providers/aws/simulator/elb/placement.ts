import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import { isVisible } from '../ec2/core/describe/find.ts'
import { createServiceInterface, deleteServiceInterface, ec2Of } from '../ec2/network-interfaces.ts'
import { awsZones } from '../route53/zones/aws-zones.ts'
import { type Call, refuse, ServiceError } from '../service.ts'

/* The common part of all load balancers: subnets, security groups, interfaces, names. */

/** The VPC, subnets and security groups of a load balancer. */
export interface Placement {
  readonly vpcId: string
  readonly subnets: readonly { readonly id: string; readonly zone: string }[]
  readonly groupIds: readonly string[]
}

/**
 * Finds the subnets and security groups of a load balancer.
 *
 * @throws AwsError SubnetNotFound, InvalidSecurityGroup or InvalidConfigurationRequest
 */
export const placementOf = (
  call: Call<object>,
  wanted: { readonly subnetIds: readonly string[]; readonly groupIds: readonly string[] | 'none' },
): Placement => {
  const ec2 = ec2Of(call)
  const subnets = wanted.subnetIds.map(id => {
    const subnet = ec2.tables.subnets.get(id)
    if (!subnet || !isVisible(ec2, subnet))
      throw refuse('SubnetNotFound', `The subnet ID '${id}' is not valid`)
    return subnet
  })
  const [first] = subnets
  if (!first) throw refuse('ValidationError', 'At least one subnet must be specified')
  const { vpcId } = first
  return {
    vpcId,
    subnets: subnets.map(({ id, zone }) => ({ id, zone })),
    groupIds: wanted.groupIds === 'none' ? [] : groupsOf(call, vpcId, wanted.groupIds),
  }
}

/** Returns the groups, or the VPC's default one if none is given. */
const groupsOf = (call: Call<object>, vpcId: string, ids: readonly string[]): readonly string[] => {
  const { securityGroups } = ec2Of(call).tables
  if (ids.length === 0) {
    return securityGroups
      .by('vpc-id', vpcId)
      .filter(({ name }) => name === 'default')
      .map(({ id }) => id)
  }
  return [...new Set(ids)]
}

export interface InterfacesToMake {
  readonly placement: Placement
  /** Example: `ELB app/name/50dc6c495c0c9188`. */
  readonly description: string
  readonly type: 'interface' | 'network_load_balancer'
  readonly isPublic: boolean
  readonly dualStack: boolean
}

/**
 * Creates an interface in each subnet.
 *
 * @throws AwsError InvalidSubnet if a subnet has no free address
 */
export const createInterfaces = (call: Call<object>, wanted: InterfacesToMake): readonly string[] => {
  const ec2 = ec2Of(call)
  const made: string[] = []
  try {
    for (const { id } of wanted.placement.subnets) {
      const { id: interfaceId } = createServiceInterface(ec2, {
        subnetId: id,
        groupIds: wanted.placement.groupIds,
        description: wanted.description,
        type: wanted.type,
        requester: 'amazon-elb',
        isPublic: wanted.isPublic,
        ipv6Count: wanted.dualStack ? 1 : 0,
      })
      made.push(interfaceId)
    }
  } catch (error) {
    for (const id of made) deleteServiceInterface(ec2, id)
    throw error instanceof ServiceError ? refuse('InvalidSubnet', error.wire.message) : error
  }
  return made
}

/** Releases interfaces at the given time. Until then they hold their subnets and groups. */
export const releaseInterfaces = (call: Call<object>, ids: readonly string[], at: Timestamp): void => {
  const ec2 = ec2Of(call)
  for (const id of ids) deleteServiceInterface(ec2, id, at)
}

const domainOf = (region: string): string => `amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`

/** Returns the DNS name. Network load balancers are below `elb.<region>`, the others below `<region>.elb`. */
export const dnsNameOf = (label: string, region: string, kind: 'network' | 'other'): string =>
  `${label}.${kind === 'network' ? `elb.${region}` : `${region}.elb`}.${domainOf(region)}`

/** Returns the hosted zone of such DNS names. */
export const hostedZoneOf = (region: string, kind: 'network' | 'other'): string => {
  const suffix = `${dnsNameOf('', region, kind).slice(1)}.`
  return [...awsZones].find(([, known]) => known === suffix)?.[0] ?? 'Z35SXDOTRQ7X7K'
}
