import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import { type Kubernetes, KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'
import type { ShootCluster } from './shoots.ts'

/**
 * The Secrets with which components in a seed reach a shoot's API server: within the cluster, and by its public
 * address.
 */
const names = ['gardener-internal', 'gardener'] as const

/**
 * Creates the kubeconfigs in the namespace of the shoot. Existing ones are not changed, because a test may have created
 * them.
 */
export const simulateAccessSecrets = async (
  kubernetes: Kubernetes,
  namespace: string,
  { kubeconfig }: Pick<ShootCluster, 'kubeconfig'>,
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
