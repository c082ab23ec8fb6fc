import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
import type { ConfigPlace, ShootSpec } from '../../../../shared/webhooks/garden/garden.ts'
import {
  cidrProblems,
  cloudProfileProblems,
  configProblems,
  decodeConfig,
  type InfrastructureConfig,
  repeated,
  type ShootFields,
  updateProblems,
} from '../../../../terraform-free-infra/aws/infrastructure/rules.ts'

/** The InfrastructureConfig in a Shoot. */
export const infrastructureConfig: ConfigPlace<InfrastructureConfig> = {
  at: 'spec.provider.infrastructureConfig',
  kind: 'InfrastructureConfig',
  decode: decodeConfig,
}

/**
 * Returns an error for each zone that the region does not have or that is repeated. Ignores a zone that did not change.
 *
 * @param offered undefined: the CloudProfile does not know the region
 */
export const zoneErrors = (
  config: InfrastructureConfig,
  former: InfrastructureConfig | undefined,
  offered: readonly string[] | undefined,
): readonly string[] => {
  if (offered === undefined) return []
  const isFormer = (index: number) =>
    former?.networks.zones[index] !== undefined &&
    isDeepStrictEqual(config.networks.zones[index], former.networks.zones[index])
  const sorted = offered.toSorted()
  const problems = [
    ...cloudProfileProblems(config, sorted, (_zone, index) => isFormer(index)),
    ...repeated(config.networks.zones, 'name').filter(({ path }) => !isFormer(indexIn(path))),
  ]
  // Uses the path of the peer: `network` there, `networks` everywhere else.
  const renamed = (problem: Problem): Problem => ({
    ...problem,
    path: problem.path.replace(/^networks\./, 'network.'),
  })
  return fieldErrors(problems.map(renamed), {
    at: infrastructureConfig.at,
    within: { network: config.networks },
  })
}

const indexIn = (path: string): number => Number(/\[(\d+)\]/.exec(path)?.[1] ?? Number.NaN)

export const infrastructureChangeErrors = (
  former: InfrastructureConfig,
  config: InfrastructureConfig,
): readonly string[] => fieldErrors(updateProblems(former, config), { within: config })

const fields: ShootFields = {
  nodes: 'networking.nodes',
  pods: 'networking.pods',
  services: 'networking.services',
  canBeWrong: true,
}

/** Returns all errors of a config in its shoot, regardless of the old config. */
export const infrastructureErrors = (
  config: InfrastructureConfig,
  former: InfrastructureConfig | undefined,
  { networking }: ShootSpec,
): readonly string[] => {
  const ipFamilies = networking?.ipFamilies ?? undefined
  const shoot = {
    ipFamilies,
    nodes: networking?.nodes || undefined,
    pods: networking?.pods || undefined,
    services: networking?.services || undefined,
  }
  const problems = [
    ...configProblems(config, 'admission').filter(problem => !isFormerGap(problem, config, former)),
    ...cidrProblems(config, shoot, fields),
    ...unusedPoolProblems(config, former, ipFamilies?.includes('IPv6') ?? false),
  ]
  return fieldErrors(problems, { within: { ...config, networking: networking ?? {} } })
}

/**
 * Returns true if the old config already lacked the subnets for load balancers in this zone. Other admissions allow
 * that. If no update of such a shoot were allowed, it could not be deleted either.
 */
const isFormerGap = (
  { path, kind }: Problem,
  { networks: { zones } }: InfrastructureConfig,
  former: InfrastructureConfig | undefined,
): boolean =>
  kind === 'required' &&
  /^networks\.zones\[\d+\]\.(internal|public)$/.test(path) &&
  isDeepStrictEqual(former?.networks.zones[indexIn(path)], zones[indexIn(path)])

/**
 * Returns a problem if a pool of IPv6 addresses would never be used. Ignores an existing pool, because it is immutable.
 */
const unusedPoolProblems = (
  { networks: { vpc } }: InfrastructureConfig,
  former: InfrastructureConfig | undefined,
  hasIpv6: boolean,
): readonly Problem[] =>
  when(!hasIpv6 && vpc.ipv6IpamPool?.id !== undefined && former?.networks.vpc.ipv6IpamPool === undefined, {
    path: 'networks.vpc.ipv6IpamPool.id',
    message: 'expected nothing without the IP family IPv6: no address of the pool would be used',
    kind: 'forbidden',
  })
