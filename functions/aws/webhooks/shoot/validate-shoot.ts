import { fieldErrors, type Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import { offeredZones } from '../../../../terraform-free-infra/aws/infrastructure/rules.ts'
import { isAbsent } from '../garden/json.ts'
import { refusedFor } from '../garden/refused-for.ts'
import { findProfile } from '../profiles/find-profile.ts'
import { controlPlaneErrors } from './control-plane-errors.ts'
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
import { regionErrors } from './region-errors.ts'
import { parseShoot, poolsIn } from './shoot-parts.ts'

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
  const was = oldObject === undefined ? undefined : parseShoot(oldObject.spec)
  const former = was?.ok ? was.spec : undefined

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
  return {}
}
