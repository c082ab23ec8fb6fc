import type { Problem } from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import { formats, formProblems } from '../../../account/formats.ts'
import type { ConfigZone, InfrastructureConfig } from '../config.ts'
import { repeated } from './repeated.ts'

/** Returns the path of a zone's field in a config. */
export const zonePath = (index: number, field: string): string => `networks.zones[${index}].${field}`

/** Returns true if the subnets belong to the user. All zones are alike, so the first one decides. */
export const hasOwnSubnets = ({ networks: { zones } }: InfrastructureConfig): boolean =>
  zones[0]?.workersSubnetID !== undefined

/** Returns the problems of the zones, except those of CIDRs (docs/contract/provider-aws.md#zones). */
export const zoneProblems = (
  config: InfrastructureConfig,
  asker: 'admission' | 'step',
): readonly Problem[] => {
  const { zones, vpc } = config.networks
  const inAdmission = asker === 'admission'
  if (zones.length === 0)
    return [
      {
        path: 'networks.zones',
        message: 'expected the networks of at least one zone, found none',
        kind: 'required',
      },
    ]
  return [
    ...styleProblems(zones, inAdmission),
    ...zones.flatMap((zone, index) => [
      ...formProblems(zonePath(index, 'name'), zone.name, formats.zone),
      ...(zone.workersSubnetID === undefined
        ? managedProblems(zone, index, inAdmission)
        : ownProblems(zone, index, vpc.id !== undefined)),
      ...elasticIpProblems(zone, index, inAdmission),
    ]),
    ...(inAdmission ? repeated(zones, 'name') : []),
    ...repeated(zones, 'workersSubnetID'),
    ...repeatedLoadBalancerSubnets(zones),
    ...repeated(zones, 'elasticIPAllocationID'),
  ]
}

/**
 * Returns the problems that only a step for a shoot can find: IPv4 nodes need `workers`, and a zone may be repeated
 * only if it was created like this.
 *
 * @param isThere returns true if the zone already exists
 */
export const zoneProblemsOfShoot = (
  { networks: { zones } }: InfrastructureConfig,
  hasIpv4: boolean,
  isThere: (zone: ConfigZone) => boolean,
): readonly Problem[] => [
  ...zones.flatMap((zone, index) =>
    hasIpv4 && zone.workers === undefined && zone.workersSubnetID === undefined ? [nodesMissing(index)] : [],
  ),
  ...repeated(zones, 'name').filter(({ path }) =>
    zones.some((zone, index) => path === zonePath(index, 'name') && !isThere(zone)),
  ),
]

const styleProblems = (zones: readonly ConfigZone[], inAdmission: boolean): readonly Problem[] => {
  const own = zones.filter(zone => zone.workersSubnetID !== undefined)
  if (own.length > 0 && zones.some(zone => zone.workers !== undefined)) {
    const message =
      'expected either workers or workersSubnetID in all zones, found both: subnets are either created in every zone or provided in every zone'
    return [{ path: 'networks.zones', message, kind: 'forbidden' }]
  }
  // A step finds the subnets of the other zones by their tags.
  if (!inAdmission) return []
  return (['publicSubnetID', 'internalSubnetID'] as const).flatMap(field =>
    own.some(zone => zone[field] !== undefined)
      ? zones.flatMap((zone, index) =>
          when(zone.workersSubnetID !== undefined && zone[field] === undefined, {
            path: zonePath(index, field),
            message: 'expected the id of a subnet because another zone has one, found nothing',
            kind: 'required' as const,
          }),
        )
      : [],
  )
}

const managedProblems = (zone: ConfigZone, index: number, inAdmission: boolean): readonly Problem[] => [
  ...(zone.workers === undefined && inAdmission
    ? [nodesMissing(index)]
    : (['internal', 'public'] as const).flatMap(field =>
        when(zone[field] === undefined, {
          path: zonePath(index, field),
          message: 'expected the CIDR of a subnet, found nothing',
          kind: 'required' as const,
        }),
      )),
  ...(['publicSubnetID', 'internalSubnetID'] as const).flatMap(field =>
    when(zone[field] !== undefined, {
      path: zonePath(index, field),
      message: 'expected nothing: only allowed with workersSubnetID; without it the subnet is created',
      kind: 'forbidden' as const,
    }),
  ),
]

const nodesMissing = (index: number): Problem => ({
  path: `networks.zones[${index}]`,
  message: 'expected workers (a CIDR) or workersSubnetID, found neither',
  kind: 'required',
})

const ownProblems = (zone: ConfigZone, index: number, hasVpcId: boolean): readonly Problem[] => [
  ...when(zone.workers !== undefined, {
    path: zonePath(index, 'workers'),
    message: 'expected nothing beside workersSubnetID: nodes are either in your subnet or in a new one',
  }),
  ...(['internal', 'public'] as const).flatMap(field =>
    when(zone[field] !== undefined, {
      path: zonePath(index, field),
      message: `expected nothing: with workersSubnetID no subnet is created. Set ${field}SubnetID to your subnet, or tag it`,
      kind: 'forbidden' as const,
    }),
  ),
  ...(['workersSubnetID', 'publicSubnetID', 'internalSubnetID'] as const).flatMap(field => [
    ...formProblems(zonePath(index, field), zone[field], formats.subnet),
    ...when(zone[field] !== undefined && !hasVpcId, {
      path: zonePath(index, field),
      message: 'expected networks.vpc.id as well: the VPC of the subnet',
      kind: 'forbidden' as const,
    }),
  ]),
  ...when(zone.publicSubnetID !== undefined && zone.publicSubnetID === zone.internalSubnetID, {
    path: zonePath(index, 'internalSubnetID'),
    message:
      'expected another subnet than publicSubnetID: that subnet has a route to the internet gateway, this one to a NAT gateway',
  }),
]

const elasticIpProblems = (
  { elasticIPAllocationID, workers, public: publicCidr }: ConfigZone,
  index: number,
  inAdmission: boolean,
): readonly Problem[] => {
  if (elasticIPAllocationID === undefined) return []
  const path = zonePath(index, 'elasticIPAllocationID')
  return [
    ...formProblems(path, elasticIPAllocationID, formats.allocation),
    ...when((workers === undefined && inAdmission) || publicCidr === undefined, {
      path,
      message:
        'expected the CIDRs workers and public as well: the address is for the NAT gateway of new subnets',
      kind: 'forbidden' as const,
    }),
  ]
}

/** A load balancer subnet is in one availability zone, so it may occur only once, in one zone of the config. */
const repeatedLoadBalancerSubnets = (zones: readonly ConfigZone[]): readonly Problem[] =>
  zones.flatMap((zone, index) =>
    (['publicSubnetID', 'internalSubnetID'] as const).flatMap(field => {
      const first = zones.findIndex(
        other =>
          zone[field] !== undefined &&
          [other.publicSubnetID, other.internalSubnetID].some(id => id === zone[field]),
      )
      const isTwiceHere = field === 'internalSubnetID' && zone.publicSubnetID === zone.internalSubnetID
      if (first < 0 || (first === index && !isTwiceHere)) return []
      return [
        {
          path: zonePath(index, field),
          message:
            first === index
              ? 'expected a subnet only for this purpose, found the one of publicSubnetID'
              : `expected a subnet only for this zone, found the one of networks.zones[${first}]`,
          kind: 'duplicate' as const,
        },
      ]
    }),
  )
