import { type Kubernetes, KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../core-resources.ts'
import type { ShootCluster } from './shoots.ts'

/** By which those in a seed reach the API server of a shoot: within the cluster, and as everybody does. */
const names = ['gardener-internal', 'gardener'] as const

/** Puts the kubeconfigs into the namespace of the shoot. Those that are there stay: they may be somebody's test. */
export const keepAccessSecrets = async (
  kubernetes: Kubernetes,
  namespace: string,
  { kubeconfig }: ShootCluster,
): Promise<void> => {
  for (const name of names) {
    try {
      await kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace },
        type: 'Opaque',
        data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
      })
    } catch (error) {
      if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
    }
  }
}
