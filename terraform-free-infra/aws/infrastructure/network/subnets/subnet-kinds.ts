import type { DesiredInfrastructure, ManagedZone } from '../../desired-infrastructure.ts'
import type { ZoneKey } from '../../state.ts'

export type SubnetKind = 'workers' | 'internal' | 'public'

/**
 * The differences between the subnets of a zone (docs/contract/provider-aws.md#subnets,
 * docs/contract/provider-aws.md#names-and-tags, docs/contract/provider-aws.md#state).
 */
export const subnetKinds: Readonly<
  Record<
    SubnetKind,
    {
      readonly part: string
      readonly tags: Readonly<Record<string, string>>
      /** Index of its block among the zone's three /64. */
      readonly block: number
      readonly stateKey: ZoneKey
      readonly associationKey: ZoneKey
    }
  >
> = {
  workers: {
    part: 'nodes',
    tags: {},
    block: 0,
    stateKey: 'SubnetWorkers',
    associationKey: 'SubnetWorkersRouteTableAssoc',
  },
  internal: {
    part: 'private-utility',
    tags: { 'kubernetes.io/role/internal-elb': '1' },
    block: 1,
    stateKey: 'SubnetPrivateUtility',
    associationKey: 'SubnetPrivateRouteTableAssoc',
  },
  public: {
    part: 'public-utility',
    tags: { 'kubernetes.io/role/elb': '1' },
    block: 2,
    stateKey: 'SubnetPublicUtility',
    associationKey: 'SubnetPublicRouteTableAssoc',
  },
}

export const allSubnetKinds: readonly SubnetKind[] = ['workers', 'internal', 'public']

export const nameOfSubnet = (
  { clusterName }: DesiredInfrastructure,
  { suffix }: ManagedZone,
  kind: SubnetKind,
): string => `${clusterName}-${subnetKinds[kind].part}-${suffix}`

/** Returns the same key as `subnetKey` returns for an observed subnet. */
export const keyOfSubnet = (desired: DesiredInfrastructure, zone: ManagedZone, kind: SubnetKind): string =>
  `${zone.name} ${zone[kind] ?? nameOfSubnet(desired, zone, kind)}`
