import { deployments } from '../../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { TargetCluster } from './target-cluster.ts'

/** Makes the Deployments among the objects available at once, because their pods do not run here. */
export const makeAvailable = async (
  { kubernetes }: TargetCluster,
  objects: readonly KubernetesObject[],
): Promise<void> => {
  for (const { apiVersion, kind, metadata } of objects) {
    if (apiVersion !== 'apps/v1' || kind !== 'Deployment') continue
    const key = { name: metadata.name, namespace: metadata.namespace ?? 'default' }
    const present = await kubernetes.get(deployments, key)
    const { generation = 1 } = present?.metadata ?? {}
    // A status of the current generation is not overwritten.
    if (present === undefined || Number(Object(present.status).observedGeneration ?? 0) >= generation)
      continue
    const status = { observedGeneration: generation, conditions: [available] }
    await kubernetes.patch(deployments, key, { status }, { subresource: 'status' })
  }
}

const available = {
  type: 'Available',
  status: 'True',
  reason: 'MinimumReplicasAvailable',
  message: 'Deployment has minimum availability.',
}
