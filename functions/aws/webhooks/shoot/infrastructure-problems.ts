import { isDeepStrictEqual } from 'node:util'
import { formatProblems, type Problem } from '../../../../shared/contract/problems.ts'
import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
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
import { isAbsent } from '../garden/json.ts'
import type { ShootSpec } from './shoot-parts.ts'

const place = 'spec.provider.infrastructureConfig'

export type DecodedInfrastructure =
  | { readonly ok: true; readonly config: InfrastructureConfig }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads the config that is to be stored. */
export const decodeInfrastructure = (value: unknown): DecodedInfrastructure => {
  if (isAbsent(value)) {
    const message = 'expected an InfrastructureConfig, found nothing'
    return { ok: false, problems: fieldErrors([{ path: place, message, kind: 'required' }]) }
  }
  const decoded = decodeConfig(value)
  if (decoded.ok) return decoded
  const problem = { path: '', message: formatProblems(decoded.problems) }
  return { ok: false, problems: fieldErrors([problem], { at: place, within: value }) }
}

/** Reads the config that was there; what nobody knows in it does not matter. */
export const decodeFormerInfrastructure = (value: unknown): DecodedInfrastructure => {
  const refusal = (message: string): DecodedInfrastructure => ({
    ok: false,
    problems: fieldErrors([{ path: place, message, kind: 'internal' }]),
  })
  if (isAbsent(value)) return refusal('there is no InfrastructureConfig in the Shoot as it was')
  const decoded = decodeConfig(value, { lenient: true })
  return decoded.ok
    ? decoded
    : refusal(
        `the InfrastructureConfig of the Shoot as it was cannot be read: ${formatProblems(decoded.problems)}`,
      )
}

/**
 * Zones that the region does not have, or that are there twice. One that stands where it stood before and says what it said
 * is left alone.
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
  // The path of the peer: `network` there, `networks` everywhere else.
  const renamed = (problem: Problem): Problem => ({
    ...problem,
    path: problem.path.replace(/^networks\./, 'network.'),
  })
  return fieldErrors(problems.map(renamed), { at: place, within: { network: config.networks } })
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

/** Everything that is wrong with a config in its shoot, whatever was there before. */
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
 * A zone without subnets for load balancers, which other admissions let pass, is left alone where it was there before: a shoot
 * of which no update is allowed could not be deleted either.
 */
const isFormerGap = (
  { path, kind }: Problem,
  { networks: { zones } }: InfrastructureConfig,
  former: InfrastructureConfig | undefined,
): boolean =>
  kind === 'required' &&
  /^networks\.zones\[\d+\]\.(internal|public)$/.test(path) &&
  isDeepStrictEqual(former?.networks.zones[indexIn(path)], zones[indexIn(path)])

/** A pool of IPv6 addresses that nothing would be taken of. One that is there already stays: it cannot be changed. */
const unusedPoolProblems = (
  { networks: { vpc } }: InfrastructureConfig,
  former: InfrastructureConfig | undefined,
  hasIpv6: boolean,
): readonly Problem[] =>
  hasIpv6 || vpc.ipv6IpamPool?.id === undefined || former?.networks.vpc.ipv6IpamPool !== undefined
    ? []
    : [
        {
          path: 'networks.vpc.ipv6IpamPool.id',
          message: 'expected nothing without the IP family IPv6: no address would be taken of the pool',
          kind: 'forbidden',
        },
      ]
