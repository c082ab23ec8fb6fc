import type { ManagedResource } from '../../contract/objects.ts'
import type { StepResult } from '../../lifecycle/lifecycle.ts'
import {
  type CompareManifests,
  type DesiredManagedResource,
  goneWait,
  keepManagedResource,
  longestDeletionMs,
  settleResources,
} from '../../resources/resources.ts'
import type { ControlPlaneStep } from './control-plane-step.ts'

/** `waiting`: one is on its way out, and has to be gone before it can be made anew. */
export type KeptResources =
  | { readonly kind: 'kept'; readonly kept: readonly ManagedResource[] }
  | { readonly kind: 'waiting'; readonly result: StepResult }

/** Writes those that are not as they shall be, one after the other in their order. */
export const keepResources = async (
  step: ControlPlaneStep,
  desired: readonly DesiredManagedResource[],
  observed: ReadonlyMap<string, ManagedResource>,
  compare: CompareManifests,
): Promise<KeptResources> => {
  const kept: ManagedResource[] = []
  for (const resource of desired) {
    const { name, namespace } = resource
    const { outcome, managedResource } = await keepManagedResource(
      step.kubernetes,
      resource,
      observed.get(name) ?? null,
      compare,
    )
    if (outcome === 'deleting') {
      const waiting = settleResources(
        step,
        {
          name: `${name} gone`,
          doing: `could not wait for managed resource ${name}, which somebody deletes, to be gone`,
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
