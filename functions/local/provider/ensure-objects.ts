import { applyObject } from '../../../shared/kubernetes/apply-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { continueSoon, type StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import { fieldManager } from './names.ts'
import type { ProviderKubernetes } from './provider-clusters.ts'

export interface ProviderObject {
  readonly resource: GroupVersionResource
  readonly object: KubernetesObject
}

export type EnsuredObjects =
  | {
      readonly kind: 'kept'
      /** The current objects, in the order of the desired ones. */
      readonly objects: readonly KubernetesObject[]
      /** The created or changed objects: `NetworkPolicy provider-local-deny-all`. */
      readonly applied: readonly string[]
    }
  /** This object is being deleted, so it and all later ones remain unchanged. */
  | { readonly kind: 'leaving'; readonly name: string; readonly applied: readonly string[] }

/** Applies objects that differ (docs/contract/provider-local.md#fields-that-are-applied), one after the other. */
export const ensureObjects = async (
  kubernetes: Pick<ProviderKubernetes, 'get' | 'apply'>,
  desired: readonly ProviderObject[],
): Promise<EnsuredObjects> => {
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

/** Waits for an object that is being deleted, and is recreated afterwards. */
export const awaitGone = (
  step: Parameters<typeof continueSoon>[0],
  { name }: Extract<EnsuredObjects, { kind: 'leaving' }>,
): StepResult =>
  continueSoon(step, {
    waitsFor: 'gone',
    progress: 10,
    description: `waiting for ${name} to be deleted before it is recreated`,
  })
