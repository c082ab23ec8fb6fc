import { isDeepStrictEqual } from 'node:util'
import { isRecord, valueAt } from '../../../../shared/decode/record-of.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import {
  isAbsent,
  isUnchangedShoot,
  type JsonObject,
  networkConfigPath,
  overlayOf,
  withAt,
  withNodeLocalDns,
  withOverlay,
  withSpec,
} from '../../../../shared/webhooks/garden/garden.ts'
import {
  apiVersion,
  controlPlaneConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'

/**
 * Defaults fields that a Shoot leaves open (docs/contract/admission.md#shoot-mutator). Overwrites unsupported values of
 * the user with a warning.
 */
export const mutateShoot: Reviewer = request => {
  if (isUnchangedShoot(request)) return {}
  const { object, oldObject } = request
  const warnings: string[] = []
  const steps: readonly ((spec: JsonObject) => JsonObject)[] = [
    spec => withOverlay(spec, oldObject?.spec, false),
    spec => withNodeLocalDns(spec),
    spec => (oldObject === undefined ? withMtuCustomizer(spec) : spec),
  ]
  const before = isRecord(object.spec) ? object.spec : {}
  const controlPlaneConfig = valueAt(before, ...configPath)
  if (!isAbsent(controlPlaneConfig)) {
    try {
      decodeStrictly(controlPlaneConfigSchema, controlPlaneConfig)
    } catch (error) {
      return refusedFor([messageOf(error)])
    }
  }
  const filled = steps.reduce((spec, step) => step(spec), before)
  const outcome = withSpec(request, withControlPlaneConfig(filled, warnings))
  return outcome.changed !== undefined && warnings.length > 0 ? { ...outcome, warnings } : outcome
}

const infrastructureConfig = ['provider', 'infrastructureConfig'] as const

const withMtuCustomizer = (spec: JsonObject): JsonObject => {
  const config = valueAt(spec, ...infrastructureConfig)
  if (isAbsent(config)) {
    const made = { apiVersion, kind: 'InfrastructureConfig', networks: { vpc: {}, zones: [] } }
    return withAt(spec, infrastructureConfig, { ...made, enableMTUCustomizer: false })
  }
  return isRecord(config) && isAbsent(config.enableMTUCustomizer)
    ? withAt(spec, [...infrastructureConfig, 'enableMTUCustomizer'], false)
    : spec
}

const configPath = ['provider', 'controlPlaneConfig'] as const
const routes = [...configPath, 'cloudControllerManager', 'useCustomRouteController']
const loadBalancers = [...configPath, 'loadBalancerController', 'enabled']
const defaultClass = [...configPath, 'storage', 'managedDefaultClass']

/**
 * Derives parts of the config from the networks of the shoot. If the user wrote a config, also defaults the storage
 * class, as the peer does. A config that would not change is ignored; otherwise every update would change it.
 */
const withControlPlaneConfig = (spec: JsonObject, warnings: string[]): JsonObject => {
  const hasRoutes = overlayOf(valueAt(spec, ...networkConfigPath)) === 'off'
  const needsLoadBalancers = hasIpv6OrTwo(valueAt(spec, 'networking', 'ipFamilies'))
  if (valueAt(spec, ...routes) === !hasRoutes)
    warnings.push(
      `spec.${routes.join('.')}: set to ${hasRoutes}, derived from the overlay network (spec.networking.providerConfig.overlay)`,
    )
  if (needsLoadBalancers && valueAt(spec, ...loadBalancers) === false)
    warnings.push(`spec.${loadBalancers.join('.')}: set to true because load balancers with IPv6 need it`)
  const withNetworks = (before: JsonObject): JsonObject => {
    const routed = withAt(before, routes, hasRoutes)
    return needsLoadBalancers ? withAt(routed, loadBalancers, true) : routed
  }
  const made = withNetworks(withAt(spec, configPath, { apiVersion, kind: 'ControlPlaneConfig' }))
  const config = valueAt(spec, ...configPath)
  if (isAbsent(config) || isDeepStrictEqual(config, valueAt(made, ...configPath))) return made
  return withNetworks(isAbsent(valueAt(spec, ...defaultClass)) ? withAt(spec, defaultClass, true) : spec)
}

const hasIpv6OrTwo = (families: unknown): boolean =>
  Array.isArray(families) && (families.includes('IPv6') || families.length > 1)
