import type { GraphBuilder, Ref } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import type { Purpose } from '../tags.ts'
import type { OwnZoneOutcome } from './find-own-zone.ts'
import { ownZoneType, zoneState } from './own-zone.ts'
import { sharedTags, sharedTagsType } from './shared-tags.ts'

/**
 * Zones with the user's subnets, by name. The subnets are looked up, and subnets of load balancers and route tables of
 * the nodes get tags. Nothing else is ever written or deleted.
 */
export const addOwnZones = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  { reads }: { readonly reads: Pick<NetworkReads, 'subnets' | 'routeTables'> },
  purpose: Purpose = {},
): ReadonlyMap<string, Ref<OwnZoneOutcome>> => {
  if (desired.zones.kind !== 'own') return new Map()
  const own = desired.zones
  const type = ownZoneType(desired, own, reads, purpose)
  const refs = new Map(
    own.zones.map(
      ({ name }) => [name, graph.add(type, name, { attributes: {}, state: zoneState(name) })] as const,
    ),
  )
  const tagged = own.tagRouteTables || own.zones.some(zone => zone.public ?? zone.internal)
  graph.add(sharedTagsType(desired, own, reads, purpose), '', {
    when: tagged,
    needs: Object.fromEntries(refs),
    attributes: outcomes => sharedTags(desired, own, outcomes),
    state: { id: () => undefined },
  })
  return refs
}
