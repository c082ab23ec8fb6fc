import type { Network } from '../../../shared/contract/objects.ts'
import { done, type StepContext, type StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import {
  deleteManagedResource,
  goneWait,
  longestDeletionMs,
  orphanObjects,
  readManagedResource,
  removeSecretsOf,
  waitForResources,
} from '../../../shared/resources/resources.ts'
import { resourceTraits } from './desired-network.ts'
import { removeMonitoring } from './monitoring/ensure-monitoring.ts'
import { readMonitoring } from './monitoring/present-monitoring.ts'

/**
 * - `delete`: deletes everything
 * - `force`: the same, without waiting
 * - `migrate`: retains the objects in the shoot
 */
export type NetworkRemoval = 'delete' | 'force' | 'migrate'

/** Deletes the Network. Ignores objects that are already gone, so a step after a wait repeats the same calls. */
export const removeNetwork = async (
  step: StepContext<Network>,
  mode: NetworkRemoval,
): Promise<StepResult> => {
  const { kubernetes, object } = step
  const { namespace = '' } = object.metadata
  const key = { namespace, name: resourceTraits.name }
  const [observed, monitoring] = await Promise.all([
    readManagedResource(kubernetes, key),
    readMonitoring(kubernetes, namespace),
  ])
  // Must be first: after the deletion request, the objects may be deleted at any time.
  if (mode === 'migrate') await orphanObjects(kubernetes, key, observed ?? null)
  await removeMonitoring(kubernetes, namespace, monitoring)
  if (await deleteManagedResource(kubernetes, key, observed ?? null)) {
    const left = await readManagedResource(kubernetes, key)
    const waiting =
      mode === 'force'
        ? undefined
        : waitForResources(
            step,
            {
              name: 'network gone',
              doing: `could not wait for managed resource ${key.name} to be deleted`,
              longestMs: longestDeletionMs,
              progress: 50,
            },
            [goneWait(key, left)],
          )
    if (waiting !== undefined) return waiting
  }
  await removeSecretsOf(kubernetes, namespace, [resourceTraits])
  return done()
}
