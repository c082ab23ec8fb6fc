import { formatSeconds, type Timestamp } from '../../shared/clock/clock.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

const { resource } = managedResourceKind
const finalizer = 'resources.gardener.cloud/gardener-resource-manager'

/**
 * Brings all ManagedResources to the final state of resource managers, without time and without their objects: existing
 * ones become healthy, deleted ones are removed.
 */
export const completeResources = async (kubernetes: Kubernetes, now: Timestamp): Promise<void> => {
  for (const { metadata, status } of (await kubernetes.list(resource)).items) {
    const { name, namespace = '', generation, finalizers = [], deletionTimestamp } = metadata
    const key = { name, namespace }
    const finalizersNow = deletionTimestamp === undefined ? [finalizer] : []
    if (finalizers.length !== finalizersNow.length)
      await kubernetes.patch(resource, key, { metadata: { finalizers: finalizersNow } })
    if (deletionTimestamp !== undefined || isObserved(status, generation)) continue
    const at = { lastTransitionTime: formatSeconds(now), lastUpdateTime: formatSeconds(now) }
    const conditions = [
      { type: 'ResourcesApplied', status: 'True', reason: 'ApplySucceeded', message: '', ...at },
      { type: 'ResourcesHealthy', status: 'True', reason: 'ResourcesHealthy', message: '', ...at },
      { type: 'ResourcesProgressing', status: 'False', reason: 'ResourcesRolledOut', message: '', ...at },
    ]
    const patch = { status: { observedGeneration: generation, conditions } }
    await kubernetes.patch(resource, key, patch, { subresource: 'status' })
  }
}

const isObserved = (status: KubernetesObject['status'], generation: number | undefined): boolean =>
  Object(status).observedGeneration === generation
