import type { StepContext, StepResult } from '../../lifecycle/lifecycle.ts'
import type { DesiredManagedResource } from '../desired-managed-resource.ts'
import { readManagedResource } from '../observe.ts'
import { deleteManagedResource, orphanObjects } from '../remove-managed-resource.ts'
import { removeSecretsOf } from '../secrets/remove-secrets.ts'
import { goneWait } from './resource-wait.ts'
import { longestDeletionMs, waitForResources } from './wait-for-resources.ts'

/** ManagedResources that are deleted together, and how. */
export interface ResourceRemoval {
  readonly namespace: string
  readonly resources: readonly (Pick<DesiredManagedResource, 'name' | 'secretPrefix'> & {
    /** True if its objects remain, for a shoot that moves. */
    readonly orphans?: boolean
  })[]
  /** The action, for errors: `could not wait for managed resource extension-acme to be deleted`. */
  readonly doing: string
  /** True for a forced deletion, which does not wait. */
  readonly isForced?: boolean
}

/**
 * Deletes ManagedResources, waits until they are gone, and then removes their Secrets. Returns undefined if all is
 * gone, else the result that ends the step. Ignores objects that are already gone, so a step after a wait repeats the
 * same calls.
 *
 * @example
 * const resources = [{ name: 'extension-acme', orphans: step.operation === 'Migrate' }]
 * const doing = 'could not wait for extension-acme to be deleted'
 * return (await removeManagedResources(step, { namespace, resources, doing })) ?? done()
 */
export const removeManagedResources = async (
  step: Pick<StepContext, 'kubernetes' | 'waited' | 'clock'>,
  { namespace, resources, doing, isForced = false }: ResourceRemoval,
): Promise<StepResult | undefined> => {
  const { kubernetes } = step
  const read = () =>
    Promise.all(
      resources.map(async resource => {
        const key = { name: resource.name, namespace }
        return { ...resource, key, present: await readManagedResource(kubernetes, key) }
      }),
    )
  const found = await read()
  // Must be first: after the deletion request, the objects may be deleted at any time.
  for (const { key, present = null, orphans } of found)
    if (orphans) await orphanObjects(kubernetes, key, present)
  let isThere = false
  for (const { key, present = null } of found)
    if (await deleteManagedResource(kubernetes, key, present)) isThere = true
  if (isThere && !isForced) {
    const waits = (await read()).map(({ key, present }) => goneWait(key, present))
    const wait = { name: 'gone', doing, longestMs: longestDeletionMs, progress: 50 }
    const waiting = waitForResources(step, wait, waits)
    if (waiting !== undefined) return waiting
  }
  await removeSecretsOf(kubernetes, namespace, resources)
  return undefined
}
