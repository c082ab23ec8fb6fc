import { CodedError, configurationProblem } from '../../../shared/contract/errors.ts'
import type { SelfHostedShootExposure } from '../../../shared/contract/objects.ts'
import { parseObject } from '../../../shared/contract/parse.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import {
  type Actuator,
  continueSoon,
  decodeSecret,
  done,
  orphaning,
  type StepContext,
  type StepKubernetes,
  secrets,
} from '../../../shared/lifecycle/lifecycle.ts'
import {
  awaitGone,
  ensureObjects,
  type ProviderClusters,
  type ProviderKubernetes,
  providerResources,
  removeObjects,
} from '../provider/local.ts'
import { desiredExposure, serviceKey, sliceKey } from './desired.ts'

/** Timeout for a load balancer, in ms. */
const limitMs = 5 * 60_000

/** The families of slices that may exist. Former families of the shoot are unknown. */
const families = ['IPv4', 'IPv6'] as const

type ExposureStep = StepContext<SelfHostedShootExposure>

/**
 * Reconciles SelfHostedShootExposures of type `local`
 * (docs/contract/provider-local.md#selfhostedshootexposure-of-provider-local). They do not migrate.
 */
export const exposureActuator = (clusters: ProviderClusters): Actuator<SelfHostedShootExposure> => {
  const open = async (step: ExposureStep): Promise<ProviderKubernetes> =>
    clusters.open(await kubeconfigOf(step.kubernetes, step.object), step, purpose)

  return {
    check: ({ object }) => void credentialsOf(object),
    reconcile: async step => {
      // Validates the endpoints before the load balancer is created.
      const desired = desiredExposure(step.object, step.cluster)
      const kept = await ensureObjects(await open(step), desired)
      if (kept.applied.length > 0) step.log.info('exposure differs', { applied: kept.applied })
      if (kept.kind === 'leaving') return awaitGone(step, kept)
      const { ingress } = Object(Object(kept.objects[0]?.status).loadBalancer)
      if (Array.isArray(ingress) && ingress.length > 0) return done({ ingress })
      const description = 'LoadBalancer not yet ready'
      return continueSoon(step, { waitsFor: 'ready', progress: 50, description, limitMs })
    },
    remove: async step => {
      const kubernetes = await open(step)
      const isThere = (await removeService(step, kubernetes)) > 0
      if (isThere)
        return continueSoon(step, {
          waitsFor: 'gone',
          progress: 50,
          description: 'waiting for Service to be deleted',
        })
      await removeSlices(step, kubernetes)
      return done()
    },
    // Deletes the load balancer without waiting.
    forceRemove: async step => {
      const parsed = parseObject('SelfHostedShootExposure', step.object)
      if (!parsed.ok) return orphaning(formatProblems(parsed.problems))
      const given = { ...step, object: parsed.object }
      try {
        const kubernetes = await open(given)
        await removeService(given, kubernetes)
        await removeSlices(given, kubernetes)
      } catch (error) {
        if (!(error instanceof CodedError)) throw error
        return orphaning(error.message)
      }
      return done()
    },
    orphans: ({ object, cluster }) => {
      const { name, namespace } = serviceKey(object, cluster)
      return [`Service ${namespace}/${name} of the provider cluster`, `its EndpointSlices`]
    },
  }
}

const removeService = async (step: ExposureStep, kubernetes: ProviderKubernetes): Promise<number> => {
  const key = serviceKey(step.object, step.cluster)
  return removeObjects(kubernetes, [{ resource: providerResources.Service, key }], step.log)
}

const removeSlices = async (step: ExposureStep, kubernetes: ProviderKubernetes): Promise<number> => {
  const key = serviceKey(step.object, step.cluster)
  const targets = families.map(family => ({
    resource: providerResources.EndpointSlice,
    key: sliceKey(key, family),
  }))
  return removeObjects(kubernetes, targets, step.log)
}

const purpose = 'could not create provider client'

/**
 * Returns the key of an exposure's Secret. It must be in the exposure's namespace: permission to write an exposure
 * there must not give access to other namespaces. Throws a `CodedError`.
 */
const credentialsOf = ({ spec: { credentialsRef }, metadata }: SelfHostedShootExposure) => {
  const { name, namespace: given, kind = 'Secret' } = credentialsRef ?? {}
  const { namespace = '' } = metadata
  if (!name)
    throw configurationProblem(
      'credentialsRef is required for the provider-local SelfHostedShootExposure implementation but is not set',
    )
  if (kind !== 'Secret')
    throw configurationProblem('spec.credentialsRef.kind: expected Secret, found another kind')
  if ((given ?? namespace) !== namespace)
    throw configurationProblem(
      `spec.credentialsRef.namespace: expected ${namespace}, the namespace of the exposure`,
    )
  return { name, namespace }
}

/** Throws a `CodedError` that names the Secret and never a value. */
const kubeconfigOf = async (
  kubernetes: Pick<StepKubernetes, 'get'>,
  exposure: SelfHostedShootExposure,
): Promise<string | undefined> => {
  const ref = credentialsOf(exposure)
  const found = await kubernetes.get(secrets, ref)
  if (found === undefined)
    throw configurationProblem(
      `${purpose}: could not retrieve provider secret: Secret "${ref.name}" not found`,
    )
  return decodeSecret(found, ref, ' of spec.credentialsRef').data.kubeconfig
}
