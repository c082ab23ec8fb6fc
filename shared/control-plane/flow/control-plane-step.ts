import type { Cluster, ControlPlane } from '../../contract/objects.ts'
import type { StepContext } from '../../lifecycle/lifecycle.ts'
import {
  type CreateKeyPair,
  caRotationOf,
  createSecretsManager,
  type SecretsManager,
} from '../../secrets-manager/secrets-manager.ts'
import type { ControlPlaneProvider } from '../provider.ts'

/** The context of one step of the flow. */
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
