import { applyObject } from '../../../shared/kubernetes/apply-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { fieldManager } from './names.ts'
import type { ProviderKubernetes } from './provider-clusters.ts'

/** What an object of the provider cluster shall be. */
export interface ProviderObject {
  readonly resource: GroupVersionResource
  readonly object: KubernetesObject
}

export type KeptProviderObjects =
  | {
      readonly kind: 'kept'
      /** As they are now, in the order in which they were desired. */
      readonly objects: readonly KubernetesObject[]
      /** `NetworkPolicy provider-local-deny-all`: what was made or changed. */
      readonly applied: readonly string[]
    }
  /** This one is being deleted, so it and those after it are as they were. */
  | { readonly kind: 'leaving'; readonly name: string; readonly applied: readonly string[] }

/** Applies objects where they differ (docs/contract/provider-local.md#fields-that-are-applied), one after the other. */
export const keepObjects = async (
  kubernetes: Pick<ProviderKubernetes, 'get' | 'apply'>,
  desired: readonly ProviderObject[],
): Promise<KeptProviderObjects> => {
  const objects: KubernetesObject[] = []
  const applied: string[] = []
  for (const { resource, object: wanted } of desired) {
    const { outcome, object } = await applyObject(kubernetes, resource, wanted, { fieldManager })
    const name = `${wanted.kind} ${wanted.metadata.name}`
    if (outcome === 'deleting') return { kind: 'leaving', name, applied }
    if (outcome === 'applied') applied.push(name)
    objects.push(object)
  }
  return { kind: 'kept', objects, applied }
}
