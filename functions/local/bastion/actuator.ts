import {
  bestOffer,
  chooseMachine,
  profileField,
  profileProblem,
} from '../../../shared/bastion-machine/bastion-machine.ts'
import { CodedError, configurationProblem } from '../../../shared/contract/errors.ts'
import type { Bastion } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  type Actuator,
  continueSoon,
  credentialsRefOf,
  decodeSecret,
  done,
  orphaning,
  type StepContext,
  type StepResult,
  secrets,
} from '../../../shared/lifecycle/lifecycle.ts'
import {
  awaitGone,
  configImages,
  ensureObjects,
  infraNamespaceOf,
  type ProviderClusters,
  type ProviderKubernetes,
  providerResources,
  readCloudProfileConfig,
  removeObjects,
} from '../provider/local.ts'
import { desiredBastion, keyOf, targetsOf } from './desired.ts'

const purpose = 'could not create client for bastion resources'

/** Timeout for the pod and its load balancer, in ms. */
const limitMs = 5 * 60_000

/**
 * Reconciles Bastions of type `local` (docs/contract/provider-local.md#bastion-of-provider-local). They do not migrate.
 */
export const bastionActuator = (clusters: ProviderClusters): Actuator<Bastion> => {
  const open = async (step: StepContext<Bastion>): Promise<ProviderKubernetes> =>
    clusters.open(await kubeconfigOf(step), step, purpose)

  return {
    reconcile: async step => {
      const namespace = infraNamespaceOf(step.cluster)
      const kubernetes = await open(step)
      const image = await imageOf(step, kubernetes, namespace)
      const kept = await ensureObjects(kubernetes, desiredBastion(step.object, namespace, image))
      if (kept.applied.length > 0) step.log.info('bastion differs', { applied: kept.applied })
      if (kept.kind === 'leaving') return awaitGone(step, kept)
      return endpointOf(step, kept.objects)
    },
    remove: async step => {
      const there = await removeBastion(step, await open(step))
      if (there === 0) return done()
      const description = `waiting for ${there} bastion resources to be deleted`
      return continueSoon(step, { waitsFor: 'gone', progress: 50, description })
    },
    // Deletes the privileged pod and the load balancer without waiting.
    forceRemove: async step => {
      try {
        await removeBastion(step, await open(step))
      } catch (error) {
        if (!(error instanceof CodedError)) throw error
        return orphaning(error.message)
      }
      return done()
    },
    orphans: ({ object, cluster }) =>
      targetsOf(object, infraNamespaceOf(cluster)).map(
        ({ resource, key }) => `${resource.plural} ${key.namespace}/${key.name} in the provider cluster`,
      ),
  }
}

const kubeconfigOf = async ({ object, kubernetes }: StepContext<Bastion>): Promise<string | undefined> => {
  const ref = credentialsRefOf(object)
  if (ref === undefined) throw new TypeError('a Bastion has no namespace')
  const found = await kubernetes.get(secrets, ref)
  if (found === undefined)
    throw configurationProblem(
      `${purpose}: could not retrieve provider secret: Secret "${ref.name}" not found`,
    )
  return decodeSecret(found, ref, ', which contains the credentials of the shoot').data.kubeconfig
}

/** An existing pod retains its image, so that a new CloudProfile does not disconnect its users. */
const imageOf = async (
  { object, cluster, clock }: StepContext<Bastion>,
  kubernetes: ProviderKubernetes,
  namespace: string,
): Promise<string> => {
  const pod = await kubernetes.get(providerResources.Pod, keyOf(object, namespace))
  const containers: unknown = Object(pod?.spec).containers
  const machine: unknown = (Array.isArray(containers) ? containers : []).find(
    one => Object(one).name === 'machine',
  )
  const present: unknown = Object(machine).image
  return typeof present === 'string' ? present : chooseImage(cluster?.spec.cloudProfile.spec, clock.now())
}

const endpointOf = (
  step: StepContext<Bastion>,
  [, pod, service]: readonly KubernetesObject[],
): StepResult => {
  const { ingress } = Object(Object(service?.status).loadBalancer)
  const [first] = Array.isArray(ingress) ? ingress : []
  const wait = { waitsFor: 'ready', progress: 50, limitMs }
  if (first === undefined) {
    const description = 'waiting for Bastion LoadBalancer to get ready: service is missing ingress status'
    return continueSoon(step, { ...wait, description })
  }
  if (!isReady(pod))
    return continueSoon(step, { ...wait, description: 'waiting for Bastion Pod to get ready' })
  // A merge patch: null removes a value that the load balancer no longer has.
  const { ip = null, hostname = null, ...rest } = first
  return done({ ingress: { ip, hostname, ...rest } })
}

const isReady = (pod: KubernetesObject | undefined): boolean => {
  const conditions: unknown = Object(pod?.status).conditions
  return (Array.isArray(conditions) ? conditions : []).some(
    one => Object(one).type === 'Ready' && Object(one).status === 'True',
  )
}

/** Returns the number of its objects that still existed. */
const removeBastion = async (
  { object, cluster, log }: Pick<StepContext<Bastion>, 'object' | 'cluster' | 'log'>,
  kubernetes: ProviderKubernetes,
): Promise<number> => removeObjects(kubernetes, targetsOf(object, infraNamespaceOf(cluster)), log)

/**
 * Returns the image of the container that acts as the bastion, from the `spec` of a CloudProfile
 * (docs/contract/kinds.md#machine-of-a-bastion). Throws a `CodedError` that names the field of the CloudProfile.
 */
const chooseImage = (cloudProfile: unknown, now: number): string => {
  const { image, machine, defined, text } = chooseMachine(cloudProfile, now)
  const config = readCloudProfileConfig(Object(cloudProfile).providerConfig)
  const found = bestOffer(defined, machine, configImages(config, image.name, image.version))
  if (found !== undefined) return found.image
  throw profileProblem(
    `${profileField}.providerConfig.machineImages: expected an image of ${text}, found none. Add it, or set ${profileField}.bastion.machineImage`,
  )
}
