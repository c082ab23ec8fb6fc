import { minorVersionOf } from '../../../../shared/contract/minor-version-of.ts'
import { valueAt } from '../../../../shared/decode/record-of.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import { findProfile, isAbsent } from '../../../../shared/webhooks/garden/garden.ts'
import {
  controlPlaneConfigProblems,
  controlPlaneConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { offeredZones } from '../../../../terraform-free-infra/aws/infrastructure/rules.ts'
import { dnsErrors } from './dns-errors.ts'
import {
  decodeFormerInfrastructure,
  decodeInfrastructure,
  infrastructureChangeErrors,
  infrastructureErrors,
  zoneErrors,
} from './infrastructure-problems.ts'
import { networkingProblems } from './networking-problems.ts'
import { poolChangeErrors, poolErrors, poolImageErrors } from './pool-errors.ts'
import { parseShoot, poolsIn, type ShootSpec } from './shoot-parts.ts'
import { shootWarnings } from './shoot-warnings.ts'

/**
 * Validates a Shoot (docs/contract/admission.md#shoot). The checks run in groups and stop after the first group with
 * errors, because later groups would repeat them in other words.
 */
export const validateShoot: Reviewer = async ({ object, oldObject, namespace = '' }, lookup) => {
  const parsed = parseShoot(object.spec)
  if (!parsed.ok) return refusedFor(fieldErrors(parsed.problems, { at: 'spec', within: object.spec }))
  const { spec } = parsed
  const pools = poolsIn(spec)
  if (pools.length === 0) return {}
  const parsedOld = oldObject === undefined ? undefined : parseShoot(oldObject.spec)
  const former = parsedOld?.ok ? parsedOld.spec : undefined

  const profile = await findProfile(spec, namespace, lookup)
  if (!profile.ok) return refusedFor([profile.message])

  const oldConfig =
    oldObject === undefined ? undefined : decodeFormerInfrastructure(former?.provider?.infrastructureConfig)
  if (oldConfig?.ok === false) return refusedFor(oldConfig.problems)
  const decoded = decodeInfrastructure(spec.provider?.infrastructureConfig)
  if (!decoded.ok) return refusedFor(decoded.problems)
  const { config } = decoded
  const formerConfig = oldConfig?.config

  const region = spec.region ?? ''
  const offered = offeredZones({ cloudProfile: profile.spec }, region)
  const judged = { pools, former: former === undefined ? [] : poolsIn(former) }
  const isDeleting = !isAbsent(object.metadata.deletionTimestamp)
  const groups: readonly (() => readonly string[] | Promise<readonly string[]>)[] = [
    () => zoneErrors(config, formerConfig, offered),
    () => (formerConfig === undefined ? [] : infrastructureChangeErrors(formerConfig, config)),
    () => poolChangeErrors(judged),
    () => (isDeleting ? [] : poolImageErrors(judged, profile.spec, region)),
    async () => [
      ...fieldErrors(networkingProblems(spec, former), { within: object }),
      ...(oldObject === undefined ? regionErrors(region, profile.spec) : []),
      ...infrastructureErrors(config, formerConfig, spec),
      ...controlPlaneErrors(spec),
      ...(await dnsErrors(spec, namespace, lookup)),
      ...poolErrors(
        judged,
        config.networks.zones.map(({ name }) => name),
      ),
    ],
  ]
  for (const group of groups) {
    const errors = await group()
    if (errors.length > 0) return refusedFor(errors)
  }
  if (isDeleting || oldObject === undefined || former === undefined || formerConfig === undefined) return {}
  const was = { object: oldObject, spec: former, config: formerConfig }
  return { warnings: () => shootWarnings(was, { object, spec, config }) }
}

/** Returns an error if the CloudProfile does not have the region. Its zones could not be validated. */
const regionErrors = (region: string, cloudProfile: unknown): readonly string[] => {
  const regions = valueAt(cloudProfile, 'regions')
  const names = Array.isArray(regions) ? regions.map(one => valueAt(one, 'name')) : []
  if (names.includes(region)) return []
  const known = names.filter(name => typeof name === 'string').toSorted()
  const message = `expected a region of the cloud profile (${known.join(', ') || 'it has none'})`
  return fieldErrors([{ path: 'spec.region', message, kind: 'unsupported' }], {
    within: { spec: { region } },
  })
}

const place = { at: 'spec.provider.controlPlaneConfig' } as const

/** Returns the errors in `spec.provider.controlPlaneConfig` of a shoot. */
const controlPlaneErrors = ({ provider, kubernetes }: ShootSpec): readonly string[] => {
  const value = provider?.controlPlaneConfig
  if (isAbsent(value)) return []
  const within = { ...place, within: value }
  try {
    const config = decodeStrictly(controlPlaneConfigSchema, value)
    return fieldErrors(controlPlaneConfigProblems(config, minorOf(kubernetes?.version)), within)
  } catch (error) {
    return fieldErrors([{ path: '', message: messageOf(error) }], within)
  }
}

/** Returns the minor version. An unreadable version has every feature gate; another check refuses it. */
const minorOf = (version: string | null | undefined): number => {
  try {
    return minorVersionOf(version ?? '').minor
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
