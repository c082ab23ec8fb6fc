import type { ManagedResource } from '../../contract/objects.ts'
import type { StepContext, StepResult } from '../../lifecycle/lifecycle.ts'
import type { DesiredManagedResource } from '../desired-managed-resource.ts'
import { ensureManagedResource } from '../ensure-managed-resource.ts'
import type { CompareManifests } from '../secrets/compare-manifests.ts'
import { goneWait } from './resource-wait.ts'
import { longestDeletionMs, waitForResources } from './wait-for-resources.ts'

/** `waiting`: one is in deletion and must be gone before it can be recreated. */
export type EnsuredResources =
  | { readonly kind: 'kept'; readonly kept: readonly ManagedResource[] }
  | { readonly kind: 'waiting'; readonly result: StepResult }

/**
 * Writes those with differences, sequentially in their order.
 *
 * @param observed by name, as read in this step
 *
 * @example
 * const key = { namespace, key: 'data.yaml', objects }
 * const desired = ['extension-acme-shoot', 'extension-acme-seed'].map(name => ({ ...key, name }))
 * const observed = await listManagedResources(kubernetes, namespace)
 * const written = await ensureManagedResources(step, desired, observed, rememberingComparison())
 * if (written.kind === 'waiting') return written.result
 */
export const ensureManagedResources = async (
  step: Pick<StepContext, 'kubernetes' | 'waited' | 'clock'>,
  desired: readonly DesiredManagedResource[],
  observed: ReadonlyMap<string, ManagedResource>,
  compare: CompareManifests,
): Promise<EnsuredResources> => {
  const kept: ManagedResource[] = []
  for (const resource of desired) {
    const { name, namespace } = resource
    const { outcome, managedResource } = await ensureManagedResource(
      step.kubernetes,
      resource,
      observed.get(name) ?? null,
      compare,
    )
    if (outcome === 'deleting') {
      const waiting = waitForResources(
        step,
        {
          name: `${name} gone`,
          doing: `could not wait until managed resource ${name}, which another client deletes, is deleted`,
          longestMs: longestDeletionMs,
          progress: 20,
        },
        [goneWait({ name, namespace }, managedResource)],
      )
      if (waiting !== undefined) return { kind: 'waiting', result: waiting }
    }
    kept.push(managedResource)
  }
  return { kind: 'kept', kept }
}
