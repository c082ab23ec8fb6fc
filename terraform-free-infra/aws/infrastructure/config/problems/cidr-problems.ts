import { type Problem, shown } from '../../../../../shared/decode/problems.ts'
import { type Cidr, contains, overlaps, parseCidr } from '../../../../cloud/cidr.ts'
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

/** A CIDR and the name of its field. */
interface CidrPlace {
  readonly path: string
  readonly cidr: Cidr
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
  const subnets = fields.flatMap(place)
  const workers = subnets.filter(({ path }) => path.endsWith('.workers'))
  const nodes = place({ path: called.nodes, text: shoot.nodes })
  const taken = [
    ...place({ path: called.pods, text: shoot.pods }),
    ...place({ path: called.services, text: shoot.services }),
  ]
  const vpcField = { path: 'networks.vpc.cidr', text: vpc.id === undefined ? vpc.cidr : undefined }
  // With IPv6, the Go extension does not check the VPC's CIDR. Its format is always checked.
  const vpcs = hasIpv6 ? [] : place(vpcField)

  return [
    ...[...fields, vpcField].flatMap(formProblemsOf),
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

interface CidrField {
  readonly path: string
  readonly text: string | undefined
}

const place = ({ path, text }: CidrField): readonly CidrPlace[] => {
  const cidr = text === undefined ? undefined : parseCidr(text)
  return cidr === undefined ? [] : [{ path, cidr }]
}

const formProblemsOf = ({ path, text }: CidrField): readonly Problem[] => {
  if (text === undefined) return []
  const cidr = parseCidr(text)
  if (cidr === undefined)
    return [{ path, message: `expected a CIDR such as 10.250.0.0/16, found ${shown(text)}` }]
  return cidr.canonical === text
    ? []
    : [{ path, message: `expected a CIDR in its canonical form, ${cidr.canonical}, found ${text}` }]
}

const outside = (outer: CidrPlace, inner: CidrPlace): readonly Problem[] =>
  contains(outer.cidr, inner.cidr)
    ? []
    : [
        {
          path: inner.path,
          message: `expected a CIDR inside ${outer.path} (${outer.cidr.text}), found ${inner.cidr.text}`,
        },
      ]

const tooSmall = (outer: CidrPlace, inner: CidrPlace): readonly Problem[] =>
  contains(outer.cidr, inner.cidr)
    ? []
    : [
        {
          path: outer.path,
          message: `expected a CIDR that contains ${inner.path} (${inner.cidr.text}), found ${outer.cidr.text}`,
        },
      ]

const clash = (one: CidrPlace, other: CidrPlace): readonly Problem[] =>
  overlaps(one.cidr, other.cidr)
    ? [
        {
          path: one.path,
          message: `expected a CIDR that does not overlap with ${other.path} (${other.cidr.text}), found ${one.cidr.text}`,
        },
      ]
    : []

const poolProblems = (
  pool: InfrastructureConfig['networks']['vpc']['ipv6IpamPool'],
  hasIpv6: boolean,
): readonly Problem[] => {
  if (pool?.cidrBlock === undefined) return []
  const path = 'networks.vpc.ipv6IpamPool.cidrBlock'
  const cidr = parseCidr(pool.cidrBlock)
  return [
    ...(cidr?.family === 6
      ? formProblemsOf({ path, text: pool.cidrBlock })
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
