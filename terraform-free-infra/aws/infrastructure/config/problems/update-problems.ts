import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../../../../shared/decode/problems.ts'
import { unchanged, unchangedOnceSet } from '../../../../cloud/unchanged.ts'
import type { InfrastructureConfig } from '../config.ts'
import { zonePath } from './zone-problems.ts'

/** Returns the forbidden changes of a config (docs/contract/provider-aws.md#changes-of-the-config). */
export const updateProblems = (
  before: InfrastructureConfig,
  after: InfrastructureConfig,
): readonly Problem[] => {
  if (isDeepStrictEqual(before, after)) return []
  const [oldVpc, newVpc] = [before.networks.vpc, after.networks.vpc]
  return [
    ...unchangedOnceSet('elasticFileSystem', before.elasticFileSystem, after.elasticFileSystem),
    ...unchanged(
      'enableDedicatedTenancyForVPC',
      before.enableDedicatedTenancyForVPC,
      after.enableDedicatedTenancyForVPC,
    ),
    ...unchanged('networks.vpc.id', oldVpc.id, newVpc.id),
    ...unchanged('networks.vpc.cidr', oldVpc.cidr, newVpc.cidr),
    ...unchangedOnceSet('networks.vpc.ipv6IpamPool', oldVpc.ipv6IpamPool, newVpc.ipv6IpamPool),
    ...unchanged(
      'networks.nodesSecurityGroupID',
      before.networks.nodesSecurityGroupID,
      after.networks.nodesSecurityGroupID,
    ),
    ...zoneChanges(before, after),
    ...(before.dualStack?.enabled && !after.dualStack?.enabled
      ? [
          {
            path: 'dualStack.enabled',
            message: 'expected true as before, found false: IPv6 cannot be removed',
            kind: 'forbidden' as const,
          },
        ]
      : []),
  ]
}

const zoneChanges = (
  { networks: { zones: old } }: InfrastructureConfig,
  { networks: { zones } }: InfrastructureConfig,
): readonly Problem[] => {
  if (zones.length < old.length) {
    const message = `expected at least the previous ${old.length} zones, found ${zones.length}: zones cannot be removed`
    return [{ path: 'networks.zones', message, kind: 'forbidden' }]
  }
  return old.flatMap((was, index) => {
    const now = zones[index]
    if (now === undefined) return []
    return [
      ...unchanged(zonePath(index, 'name'), was.name, now.name),
      ...unchanged(zonePath(index, 'workersSubnetID'), was.workersSubnetID, now.workersSubnetID),
      ...(['public', 'internal', 'workers', 'publicSubnetID', 'internalSubnetID'] as const).flatMap(field =>
        unchangedOnceSet(zonePath(index, field), was[field], now[field]),
      ),
    ]
  })
}
