import type { ManagedResource } from '../contract/objects.ts'
import { done, type StepContext, type StepResult } from '../lifecycle/lifecycle.ts'
import {
  type DesiredManagedResource,
  deleteManagedResource,
  goneWait,
  longestDeletionMs,
  type ManagedResourceKey,
  readManagedResource,
  removeSecretsOf,
  waitForResources,
} from '../resources/resources.ts'

/** Deletes the ManagedResource, waits until it is gone, and then removes its Secrets. */
export const removeResource = async (
  step: StepContext,
  resource: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>,
  key: ManagedResourceKey,
  observed?: ManagedResource | null,
): Promise<StepResult> => {
  const { kubernetes } = step
  if (await deleteManagedResource(kubernetes, key, observed)) {
    const waiting = waitForResources(
      step,
      {
        name: 'gone',
        doing: `could not wait for managed resource ${key.name} to be deleted`,
        longestMs: longestDeletionMs,
        progress: 50,
      },
      [goneWait(key, await readManagedResource(kubernetes, key))],
    )
    if (waiting !== undefined) return waiting
  }
  await removeSecretsOf(kubernetes, key.namespace, [resource])
  return done()
}
