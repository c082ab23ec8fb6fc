import type { GraphBuilder, Ref } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { NetworkReads } from '../network/reads.ts'
import type { Purpose } from '../purpose.ts'
import type { InfrastructureWish } from '../wish.ts'
import type { OwnZoneOutcome } from './find-own-zone.ts'
import { ownZoneType, zoneState } from './own-zone.ts'
import { sharedTags, sharedTagsType } from './shared-tags.ts'

/**
 * Zones with the user's subnets, by name: they are looked up, and those of load balancers and the route tables of the
 * nodes get tags. That is all that is ever written, and all that a deletion takes away.
 */
export const addOwnZones = (
  graph: GraphBuilder<AwsCloud>,
  wish: InfrastructureWish,
  { reads }: { readonly reads: Pick<NetworkReads, 'subnets' | 'routeTables'> },
  purpose: Purpose = {},
): ReadonlyMap<string, Ref<OwnZoneOutcome>> => {
  if (wish.zones.kind !== 'own') return new Map()
  const own = wish.zones
  const type = ownZoneType(wish, own, reads, purpose)
  const refs = new Map(
    own.zones.map(
      ({ name }) => [name, graph.add(type, name, { attributes: {}, state: zoneState(name) })] as const,
    ),
  )
  const tagged = own.tagRouteTables || own.zones.some(zone => zone.public ?? zone.internal)
  graph.add(sharedTagsType(wish, own, reads, purpose), '', {
    when: tagged,
    needs: Object.fromEntries(refs),
    attributes: outcomes => sharedTags(wish, own, outcomes),
    state: { id: () => undefined },
  })
  return refs
}
