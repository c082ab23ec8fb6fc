import { type Problem, shown } from '../../../../../shared/decode/problems.ts'
import { contains, parseCidr } from '../../../../cloud/cidr.ts'
import {
  type CidrPlace,
  cidrFormProblems,
  cidrPlaces,
  clash,
  outside,
} from '../../../../cloud/cidr-problems.ts'
import type { InfrastructureConfig } from '../config.ts'
import { zonePath } from './zone-problems.ts'

/** The networks of the shoot, from `shoot.spec.networking`. */
export interface ShootNetworking {
  /** Undefined: not set, which means IPv4. */
  readonly ipFamilies: readonly string[] | undefined
  readonly nodes: string | undefined
  readonly pods: string | undefined
  readonly services: string | undefined
}

/** Names of the shoot's networks in problems. */
export interface ShootFields {
  readonly nodes: string
  readonly pods: string
  readonly services: string
  /**
   * True if the networks can be changed in the same object. A network that does not fit the VPC is then the problem.
   */
  readonly canBeWrong: boolean
}

/** For callers that have only the config. */
const besideConfig: ShootFields = {
  nodes: 'the nodes CIDR of the shoot',
  pods: 'the pods CIDR of the shoot',
  services: 'the services CIDR of the shoot',
  canBeWrong: false,
}

/** Returns the problems of the CIDRs (docs/contract/provider-aws.md#cidrs). */
export const cidrProblems = (
  { networks: { vpc, zones } }: InfrastructureConfig,
  { ipFamilies, ...shoot }: ShootNetworking,
  called: ShootFields = besideConfig,
): readonly Problem[] => {
  const hasIpv4 = ipFamilies === undefined || ipFamilies.includes('IPv4')
  const hasIpv6 = ipFamilies?.includes('IPv6') ?? false
  const fields = zones.flatMap((zone, index) => [
    { path: zonePath(index, 'public'), text: zone.public },
    { path: zonePath(index, 'internal'), text: zone.internal },
    // Nodes without IPv4 are in a subnet without an IPv4 range.
    { path: zonePath(index, 'workers'), text: hasIpv4 ? zone.workers : undefined },
  ])
  const subnets = fields.flatMap(cidrPlaces)
  const workers = subnets.filter(({ path }) => path.endsWith('.workers'))
  const nodes = cidrPlaces({ path: called.nodes, text: shoot.nodes })
  const taken = [
    ...cidrPlaces({ path: called.pods, text: shoot.pods }),
    ...cidrPlaces({ path: called.services, text: shoot.services }),
  ]
  const vpcField = { path: 'networks.vpc.cidr', text: vpc.id === undefined ? vpc.cidr : undefined }
  // With IPv6, the Go extension does not check the VPC's CIDR. Its format is always checked.
  const vpcs = hasIpv6 ? [] : cidrPlaces(vpcField)

  return [
    ...[...fields, vpcField].flatMap(cidrFormProblems),
    ...nodes.flatMap(outer => workers.flatMap(inner => outside(outer, inner))),
    ...vpcs.flatMap(outer => [
      ...nodes.flatMap(inner => (called.canBeWrong ? outside(outer, inner) : tooSmall(outer, inner))),
      ...subnets.flatMap(inner => outside(outer, inner)),
      ...taken.flatMap(other => (called.canBeWrong ? clash(other, outer) : clash(outer, other))),
    ]),
    ...subnets.flatMap((one, index) => [
      ...subnets.slice(0, index).flatMap(other => clash(one, other)),
      ...taken.flatMap(other => clash(one, other)),
    ]),
    ...poolProblems(vpc.ipv6IpamPool, hasIpv6),
  ]
}

const tooSmall = (outer: CidrPlace, inner: CidrPlace): readonly Problem[] =>
  contains(outer.cidr, inner.cidr)
    ? []
    : [
        {
          path: outer.path,
          message: `expected a CIDR that contains ${inner.path} (${inner.cidr.text}), found ${outer.cidr.text}`,
        },
      ]

const poolProblems = (
  pool: InfrastructureConfig['networks']['vpc']['ipv6IpamPool'],
  hasIpv6: boolean,
): readonly Problem[] => {
  if (pool?.cidrBlock === undefined) return []
  const path = 'networks.vpc.ipv6IpamPool.cidrBlock'
  const cidr = parseCidr(pool.cidrBlock)
  return [
    ...(cidr?.family === 6
      ? cidrFormProblems({ path, text: pool.cidrBlock })
      : [
          {
            path,
            message: `expected an IPv6 CIDR such as 2001:db8:1:100::/56, found ${shown(pool.cidrBlock)}`,
          },
        ]),
    ...(cidr?.family === 6 && cidr.prefix !== 56
      ? [{ path, message: `expected a /56, found a /${cidr.prefix}` }]
      : []),
    ...(hasIpv6 ? [] : [{ path, message: 'expected a shoot with IPv6, found one without' }]),
    ...(pool.id === undefined
      ? [{ path, message: 'expected networks.vpc.ipv6IpamPool.id as well: the pool of the CIDR' }]
      : []),
  ]
}
