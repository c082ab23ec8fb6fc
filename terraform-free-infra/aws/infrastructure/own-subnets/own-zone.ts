import type { ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure, OwnZone } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import type { Purpose } from '../tags.ts'
import { checkDiscovery, findOwnZone, type OwnSubnet, type OwnZoneOutcome } from './find-own-zone.ts'

export interface OwnZones {
  readonly zones: readonly OwnZone[]
  readonly tagRouteTables: boolean
}

/**
 * The user's subnets of a zone, identified by that of the nodes. They are looked up, must exist, and are never deleted.
 */
export const ownZoneType = (
  desired: DesiredInfrastructure,
  { zones, tagRouteTables }: OwnZones,
  reads: Pick<NetworkReads, 'subnets' | 'routeTables'>,
  { destroying }: Purpose,
): ResourceType<AwsCloud, Readonly<Record<never, never>>, OwnZoneOutcome> => ({
  what: 'worker subnet',
  list: async ({ read }) => {
    const [subnets, tables] = await Promise.all([
      read(reads.subnets),
      tagRouteTables ? read(reads.routeTables) : [],
    ])
    return zones.flatMap(zone => {
      if (!destroying) checkDiscovery(desired, zone, subnets)
      const outcome = findOwnZone(desired, zone, { subnets, tables })
      if (outcome === undefined) return []
      return [
        { id: outcome.id, key: zone.name, status: 'ready' as const, attributes: {}, outcome, foreign: true },
      ]
    })
  },
})

/** The state entries of a zone (docs/contract/provider-aws.md#state). */
export const zoneState = (zone: string) => {
  const subnet = (name: string, of: (outcome: OwnZoneOutcome) => OwnSubnet | undefined) => ({
    [`Zones/${zone}/${name}`]: (outcome: OwnZoneOutcome) => of(outcome)?.id,
    [`Zones/${zone}/${name}CIDR`]: (outcome: OwnZoneOutcome) => of(outcome)?.cidr,
    [`Zones/${zone}/${name}IPv6CIDR`]: (outcome: OwnZoneOutcome) => of(outcome)?.ipv6,
  })
  return {
    id: `Zones/${zone}/SubnetWorkers`,
    values: {
      ...subnet('SubnetWorkers', outcome => outcome),
      ...subnet('SubnetPublicUtility', outcome => outcome.public),
      ...subnet('SubnetPrivateUtility', outcome => outcome.internal),
      [`Zones/${zone}/ZoneRouteTable`]: (outcome: OwnZoneOutcome) => outcome.routeTable,
    },
  }
}
