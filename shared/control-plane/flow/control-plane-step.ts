import { isHibernationEnabled, isShootDeleted } from '../../contract/cluster-facts.ts'
import type { Cluster, ControlPlane } from '../../contract/objects.ts'
import { deployments } from '../../kubernetes/core-resources.ts'
import type { StepContext } from '../../lifecycle/lifecycle.ts'
import {
  type CreateKeyPair,
  caRotationOf,
  createSecretsManager,
  type SecretsManager,
} from '../../secrets-manager/secrets-manager.ts'
import type { ControlPlaneProvider } from '../provider.ts'

export type ControlPlaneStep = StepContext<ControlPlane>

export const namespaceOf = ({ object }: Pick<ControlPlaneStep, 'object'>): string =>
  object.metadata.namespace ?? ''

/** Returns `namespace/name`, for errors. */
export const idOf = ({ object: { metadata } }: Pick<ControlPlaneStep, 'object'>): string =>
  `${metadata.namespace}/${metadata.name}`

/** The lifecycle runs a ControlPlane's step without its Cluster only for a forced deletion. */
export const clusterOf = ({ cluster }: Pick<ControlPlaneStep, 'cluster'>): Cluster => {
  if (cluster === undefined) throw new TypeError('a step of a ControlPlane has no Cluster')
  return cluster
}

export const secretsManagerOf = (
  { secretsIdentity, secrets }: ControlPlaneProvider,
  step: ControlPlaneStep,
  createKeyPair?: CreateKeyPair,
): SecretsManager => {
  const { kubernetes, clock, signal, cluster } = step
  const namespace = namespaceOf(step)
  return createSecretsManager({
    kubernetes,
    clock,
    signal,
    namespace,
    identity: secretsIdentity,
    configs: secrets(namespace),
    rotation: cluster && caRotationOf(cluster),
    ...(createKeyPair && { createKeyPair }),
  })
}

/**
 * The hibernation state of a shoot for its components. `going to sleep`: the API server and the components still run
 * (docs/contract/control-planes.md#hibernation). A shoot in deletion or migration does not sleep: its components must
 * clean up.
 */
export type Sleep = 'awake' | 'going to sleep' | 'asleep'

export const sleepOf = async (step: ControlPlaneStep, cluster: Cluster): Promise<Sleep> => {
  if (!isHibernationEnabled(cluster) || isShootDeleted(cluster) || isMigrating(cluster)) return 'awake'
  const namespace = namespaceOf(step)
  const apiServer = await step.kubernetes.get(deployments, { namespace, name: 'kube-apiserver' })
  // Like the API server of the seed: absent replicas mean 1.
  const replicas = apiServer === undefined ? 0 : (Reflect.get(Object(apiServer.spec), 'replicas') ?? 1)
  return replicas === 0 ? 'asleep' : 'going to sleep'
}

const isMigrating = ({ spec: { shoot } }: Cluster): boolean => shoot.status?.lastOperation?.type === 'Migrate'
