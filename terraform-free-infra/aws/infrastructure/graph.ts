import { type Graph, type GraphBuilder, graphOf, type Ref } from '../../engine/engine.ts'
import type { AwsCloud } from './cloud.ts'
import { confirmResource } from './deletion/confirm-resource.ts'
import type { DesiredInfrastructure } from './desired-infrastructure.ts'
import { addIdentity } from './identity/identity.ts'
import { addKeyPair } from './identity/key-pair.ts'
import { addLeftovers } from './leftovers/leftovers.ts'
import { addEgress } from './network/egress/egress.ts'
import { addNodesGroup, addVpc, type ZoneRefs } from './network/network.ts'
import { type NetworkReads, networkReads } from './network/reads.ts'
import { addCidrReservation } from './network/subnets/cidr-reservation.ts'
import { addZones } from './network/subnets/zones.ts'
import type { OwnZoneOutcome } from './own-subnets/find-own-zone.ts'
import { addOwnZones } from './own-subnets/own-subnets.ts'
import { addStorage } from './storage/storage.ts'
import type { Purpose } from './tags.ts'
import { unmark } from './tags.ts'

/**
 * Returns all resources of an infrastructure. `purpose` adds those that are only read for a deletion.
 *
 * @param reads for the same desired state and purpose, if shared with other code
 */
export const infrastructureGraph = (
  desired: DesiredInfrastructure,
  purpose: Purpose = {},
  reads: NetworkReads = networkReads(desired, purpose),
): Graph<AwsCloud> => {
  const graph: GraphBuilder<AwsCloud> = graphOf()
  const base = addVpc(graph, desired, reads, purpose)
  const managed = addZones(graph, desired, reads, base)
  const own = addOwnZones(graph, desired, { reads }, purpose)
  addEgress(graph, desired, reads, managed.gateways, purpose)
  const workers = desired.zones.kind === 'own' ? own : managed.workers
  if (desired.ipFamilies.includes('IPv6')) addCidrReservation(graph, desired, reads, workers, purpose)
  const zones = [...managed.zones, ...ownRanges(own)]
  const nodesGroup = addNodesGroup(graph, desired, reads, { vpc: base.vpc, zones })
  addStorage(graph, desired, { reads, workers: managed.workers, nodesGroup }, purpose)
  // The role is created after the VPC, so an existing role proves that the VPC was created before (`nameIsOurs`).
  addIdentity(graph, desired, purpose, reads.identity, [base.vpc.label])
  addKeyPair(graph, desired, purpose, reads.identity)
  graph.unmarkBy(unmark)
  graph.confirmBy(confirmResource(desired))
  if (purpose.destroying) addLeftovers(graph, desired, { reads })
  return graph.build()
}

const ownRanges = (zones: ReadonlyMap<string, Ref<OwnZoneOutcome>>): readonly ZoneRefs[] =>
  [...zones].map(([zone, ref]) => ({
    zone,
    needs: { [zone]: ref },
    subnets: outcomes => {
      // The key is the name of its reference.
      const own = outcomes[zone] as OwnZoneOutcome | undefined
      return { workers: own, internal: own?.internal, public: own?.public }
    },
  }))
