import type { V1Volume } from '@kubernetes/client-node'
import type { Json } from '../../shared/kubernetes/kubernetes.ts'
import type { EnvironmentVariable, GardenAccess } from '../deployment.ts'

/**
 * The path at which gardenlet mounts the kubeconfig of the garden in known pods
 * (docs/contract/registration.md#garden-access).
 */
export const gardenFolder = '/var/run/secrets/gardener.cloud/garden/generic-kubeconfig'

export const gardenVariable: EnvironmentVariable = {
  name: 'GARDEN_KUBECONFIG',
  value: `${gardenFolder}/kubeconfig`,
}

/** The same volume that gardenlet injects into other workloads: the kubeconfig names the token file beside it. */
export const gardenVolume = ({ kubeconfigSecret, tokenSecret }: GardenAccess): Json<V1Volume> => ({
  name: 'garden-kubeconfig',
  projected: {
    defaultMode: 420,
    sources: [
      { secret: { name: kubeconfigSecret, items: [{ key: 'kubeconfig', path: 'kubeconfig' }] } },
      { secret: { name: tokenSecret, items: [{ key: 'token', path: 'token' }] } },
    ],
  },
})
