import type { ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import type { Kubernetes } from '../../kubernetes/kubernetes.ts'

const { resource } = managedResourceKind
const finalizer = 'resources.gardener.cloud/gardener-resource-manager'

/** The treatment of a ManagedResource; `stuck` ones are ignored. */
export type Treatment = 'apply' | 'unhealthy' | 'invalid' | 'stuck'

/** A resource manager that reports everything as applied, or the given treatment. */
export const imitatedResourceManager = (kubernetes: Kubernetes, namespace: string) => {
  const treatments = new Map<string, Treatment>()
  const treatmentOf = (name: string): Treatment => treatments.get(name) ?? treatments.get('all') ?? 'apply'

  const work = async (): Promise<void> => {
    const { items } = await kubernetes.list(resource, { namespace })
    for (const { metadata } of items as readonly ManagedResource[]) {
      const { name, generation = 0, finalizers = [], deletionTimestamp } = metadata
      const treatment = treatmentOf(name)
      if (treatment === 'stuck') continue
      const key = { name, namespace }
      if (deletionTimestamp !== undefined) {
        if (treatment === 'apply') await kubernetes.patch(resource, key, { metadata: { finalizers: null } })
        else
          await status(key, generation, {
            ResourcesApplied: ['False', 'DeletionPending', 'ConfigMap trust is still there'],
          })
        continue
      }
      if (!finalizers.includes(finalizer))
        await kubernetes.patch(resource, key, { metadata: { finalizers: [finalizer] } })
      await status(key, generation, {
        ResourcesApplied:
          treatment === 'invalid'
            ? ['False', 'ApplyFailed', 'error during apply of object "v1/ConfigMap//x": x is invalid: no']
            : ['True', 'ApplySucceeded', 'All resources are applied.'],
        ResourcesHealthy:
          treatment === 'unhealthy'
            ? ['False', 'DeploymentUnhealthy', 'Deployment x has no replicas']
            : ['True', 'ResourcesHealthy', 'All resources are healthy.'],
        ResourcesProgressing: ['False', 'ResourcesRolledOut', 'All resources have been fully rolled out.'],
      })
    }
  }

  const status = async (
    key: { readonly name: string; readonly namespace: string },
    observedGeneration: number,
    conditions: Readonly<Record<string, readonly [string, string, string]>>,
  ) => {
    const at = { lastTransitionTime: '2026-11-21T00:00:00Z', lastUpdateTime: '2026-11-21T00:00:00Z' }
    const list = Object.entries(conditions).map(([type, [state, reason, message]]) => ({
      type,
      status: state,
      reason,
      message,
      ...at,
    }))
    await kubernetes.patch(
      resource,
      key,
      { status: { observedGeneration, conditions: list } },
      { subresource: 'status' },
    )
  }

  return {
    work,
    /** Sets the treatment from now on. `all`: for those without a treatment. */
    treat: (name: string, treatment: Treatment) => void treatments.set(name, treatment),
  }
}
