import type { ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import type { Kubernetes, ObjectKey } from '../../kubernetes/kubernetes.ts'
import { statusOf } from './namespace.ts'

const { resource } = managedResourceKind
const finalizer = 'resources.gardener.cloud/gardener-resource-manager'

/** The treatment of a ManagedResource; `stuck` ones are ignored. */
export type Treatment = 'apply' | 'unhealthy' | 'invalid' | 'stuck'

const conditionsOf = {
  apply: {},
  unhealthy: { ResourcesHealthy: ['False', 'DeploymentUnhealthy', 'Deployment x has no replicas'] },
  invalid: {
    ResourcesApplied: [
      'False',
      'ApplyFailed',
      'error during apply of object "v1/ConfigMap//x": x is invalid: no',
    ],
  },
} as const

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
          await report(key, generation, {
            ResourcesApplied: ['False', 'DeletionPending', 'ConfigMap trust is still there'],
          })
        continue
      }
      if (!finalizers.includes(finalizer))
        await kubernetes.patch(resource, key, { metadata: { finalizers: [finalizer] } })
      await report(key, generation, conditionsOf[treatment])
    }
  }

  const report = (key: ObjectKey, generation: number, conditions: Parameters<typeof statusOf>[1]) =>
    kubernetes.patch(resource, key, { status: statusOf(generation, conditions) }, { subresource: 'status' })

  return {
    work,
    /** Sets the treatment from now on. `all`: for those without a treatment. */
    treat: (name: string, treatment: Treatment) => void treatments.set(name, treatment),
  }
}
