import { isDeepStrictEqual } from 'node:util'
import { isRecord, valueAt } from '../../../../shared/decode/record-of.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import {
  type Reviewer,
  type ReviewRequest,
  refusedFor,
} from '../../../../shared/webhooks/admission/admission.ts'
import { isAbsent, type JsonObject, withAt } from '../../../../shared/webhooks/garden/garden.ts'
import {
  apiVersion,
  controlPlaneConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { overlayOf } from './networking-problems.ts'

/**
 * Defaults fields that a Shoot leaves open (docs/contract/admission.md#shoot-mutator). Overwrites unsupported values of
 * the user with a warning.
 */
export const mutateShoot: Reviewer = request => {
  if (isIgnored(request)) return {}
  const { object, oldObject } = request
  const warnings: string[] = []
  const steps: readonly ((spec: JsonObject) => JsonObject)[] = [
    spec => withOverlay(spec, oldObject?.spec),
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
  const spec = withControlPlaneConfig(filled, warnings)
  return isDeepStrictEqual(spec, before)
    ? {}
    : { changed: { ...object, spec }, ...(warnings.length > 0 && { warnings }) }
}

const isIgnored = ({ object, oldObject }: ReviewRequest): boolean => {
  const { spec, status } = object
  const last = valueAt(status, 'lastOperation')
  const type = valueAt(last, 'type')
  const workers = valueAt(spec, 'provider', 'workers')
  const [wanted, actual] = [valueAt(spec, 'seedName'), valueAt(status, 'seedName')]
  const isRescheduled =
    !isAbsent(last) && type !== 'Migrate' && !isAbsent(wanted) && !isAbsent(actual) && wanted !== actual
  const isMoving = type === 'Migrate' || (type === 'Restore' && valueAt(last, 'state') !== 'Succeeded')
  return (
    !isAbsent(object.metadata.deletionTimestamp) ||
    !Array.isArray(workers) ||
    workers.length === 0 ||
    isRescheduled ||
    (oldObject !== undefined && (isMoving || isDeepStrictEqual(spec, oldObject.spec)))
  )
}

const networkConfig = ['networking', 'providerConfig'] as const

/** New shoots have no overlay. Existing shoots retain their value. */
const withOverlay = (spec: JsonObject, oldSpec: unknown): JsonObject => {
  const config = valueAt(spec, ...networkConfig)
  if (!isAbsent(config) && !isRecord(config)) return spec
  const present = isAbsent(config) ? withAt(spec, networkConfig, {}) : spec
  const overlay = [...networkConfig, 'overlay']
  switch (overlayOf(config)) {
    case 'absent': {
      if (oldSpec === undefined) return withAt(present, overlay, { enabled: false })
      const former = valueAt(oldSpec, ...overlay)
      return isAbsent(former) ? present : withAt(present, overlay, former)
    }
    case 'unsaid':
      return withAt(present, [...overlay, 'enabled'], true)
    case 'on':
    case 'off':
    case 'unreadable':
      return present
  }
}

const localDns = ['systemComponents', 'nodeLocalDNS'] as const

const withNodeLocalDns = (spec: JsonObject): JsonObject =>
  valueAt(spec, ...localDns, 'enabled') === true &&
  isAbsent(valueAt(spec, ...localDns, 'forceTCPToUpstreamDNS'))
    ? withAt(spec, [...localDns, 'forceTCPToUpstreamDNS'], false)
    : spec

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
  const hasRoutes = overlayOf(valueAt(spec, ...networkConfig)) === 'off'
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
