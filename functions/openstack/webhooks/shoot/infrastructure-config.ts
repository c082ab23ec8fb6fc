import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import { type ConfigPlace, decodeBy, type ShootSpec } from '../../../../shared/webhooks/garden/garden.ts'
import {
  cidrFormProblems,
  cidrPlaces,
  outside,
} from '../../../../terraform-free-infra/cloud/cidr-problems.ts'
import { unchanged } from '../../../../terraform-free-infra/cloud/unchanged.ts'
import { decodeStrictly } from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import {
  configProblems,
  configSchema,
  type InfrastructureConfig,
  isDualStack,
  readConfig,
} from '../../../../terraform-free-infra/openstack/infrastructure/rules.ts'

/** The InfrastructureConfig in a Shoot. */
export const infrastructureConfig: ConfigPlace<InfrastructureConfig> = {
  at: 'spec.provider.infrastructureConfig',
  kind: 'InfrastructureConfig',
  decode: decodeBy((value, lenient) =>
    lenient ? readConfig(value, { lenient }) : decodeStrictly(configSchema, value),
  ),
}

/** Returns true if a Shoot has IPv6 alone. */
export const isIpv6Alone = ({ networking }: ShootSpec): boolean =>
  isDeepStrictEqual(networking?.ipFamilies, ['IPv6'])

/** Returns the problems of a config in its Shoot (docs/contract/provider-openstack.md#admission). */
export const infrastructureProblems = (config: InfrastructureConfig, spec: ShootSpec): readonly Problem[] => {
  // IPv6 alone is a problem of the Shoot.
  const ipFamilies = isIpv6Alone(spec) ? undefined : (spec.networking?.ipFamilies ?? undefined)
  const { worker, workers, ipv6 } = config.networks
  const nodes = cidrPlaces({ path: 'networking.nodes', text: spec.networking?.nodes ?? undefined })
  const inner = cidrPlaces({
    path: workers === '' ? 'networks.worker' : 'networks.workers',
    text: workers || worker,
  })
  return [
    ...configProblems(config, { ipFamilies }),
    // Only one of both has an effect, but both must be readable.
    ...when(workers !== '' && worker !== '', ...cidrFormProblems({ path: 'networks.worker', text: worker })),
    ...when(
      !isDualStack({ ipFamilies }) && ipv6 !== undefined && !Object.values(ipv6).some(value => !!value),
      {
        path: 'networks.ipv6',
        message: 'expected subnetPoolID, or nodeCIDR, podCIDR and serviceCIDR, found nothing',
        kind: 'required' as const,
      },
    ),
    ...nodes.flatMap(outer => inner.flatMap(one => outside(outer, one))),
  ]
}

/** Returns the forbidden changes of a config. Paths begin at the config. */
export const changeProblems = (
  before: InfrastructureConfig,
  after: InfrastructureConfig,
): readonly Problem[] => [
  ...(['id', 'router', 'worker', 'workers', 'ipv6', 'subnetPool'] as const).flatMap(field =>
    unchanged(`networks.${field}`, before.networks[field], after.networks[field]),
  ),
  ...(before.networks.shareNetwork?.enabled
    ? unchanged('networks.shareNetwork', before.networks.shareNetwork, after.networks.shareNetwork)
    : []),
  ...unchanged('floatingPoolName', before.floatingPoolName, after.floatingPoolName),
  ...unchanged('floatingPoolSubnetName', before.floatingPoolSubnetName, after.floatingPoolSubnetName),
]
