import type { Extension, ManagedResource } from '../contract/objects.ts'
import { idOf, type KubernetesObject } from '../kubernetes/kubernetes.ts'
import { type Actuator, done, type StepContext, type StepResult } from '../lifecycle/lifecycle.ts'
import { type ReferencedResource, readReference, statusResources } from '../references/references.ts'
import {
  type DesiredManagedResource,
  deleteManagedResource,
  ensureManagedResource,
  goneWait,
  healthyWait,
  longestDeletionMs,
  type ManagedResourceKey,
  orphanObjects,
  readManagedResource,
  removeSecretsOf,
  resourceTexts,
  waitForResources,
} from '../resources/resources.ts'

export { resourcePermissions as extensionPermissions } from '../resources/resources.ts'

/** The author's part of an Extension. */
export interface ExtensionProvider {
  /** The ManagedResource in the namespace of each object. Without a class, its objects are those of the shoot. */
  readonly resource: Omit<DesiredManagedResource, 'namespace' | 'objects'>
  /** The objects to apply. `used`: the resources of `references`, in their order. */
  readonly objects: (
    step: StepContext<Extension>,
    used: readonly ReferencedResource[],
  ) => readonly KubernetesObject[] | Promise<readonly KubernetesObject[]>
  /**
   * The names of Secrets in the Shoot's `spec.resources` that the object uses (`readReference`). The success lists them
   * in `status.resources`, so they move with the shoot. Absent: none, and `status.resources` is not written.
   */
  readonly references?: (step: StepContext<Extension>) => readonly string[]
  /**
   * Longest wait of a reconcile for healthy objects, in milliseconds, or `Infinity`. Absent or undefined: it does not
   * wait.
   */
  readonly healthyWithinMs?: (step: StepContext<Extension>) => number | undefined
}

/**
 * An Extension that consists of one ManagedResource (docs/contract/kinds.md#extension). A restore is a reconcile, a
 * migrated shoot retains its objects, and a forced deletion does not wait.
 *
 * @example
 * const actuator = extensionFlow({
 *   resource: { name: 'greeting', class: 'seed', key: 'data.yaml' },
 *   references: ({ object }) => [String(object.spec.providerConfig?.secretRef)],
 *   objects: (_, [token]) => [
 *     {
 *       apiVersion: 'v1',
 *       kind: 'ConfigMap',
 *       metadata: { name: 'greeting', namespace },
 *       data: { tokenFrom: token?.copy.name },
 *     },
 *   ],
 *   healthyWithinMs: () => 120_000,
 * })
 */
export const extensionFlow = ({
  resource,
  objects,
  references,
  healthyWithinMs = () => undefined,
}: ExtensionProvider): Required<
  Pick<Actuator<Extension>, 'reconcile' | 'remove' | 'forceRemove' | 'orphans' | 'migrate'>
> => {
  const keyOf = ({ object }: Pick<StepContext<Extension>, 'object'>) => ({
    name: resource.name,
    namespace: object.metadata.namespace ?? '',
  })
  return {
    reconcile: async step => {
      const key = keyOf(step)
      const used = await Promise.all((references?.(step) ?? []).map(name => readReference(step, name)))
      const success = done(references && { resources: statusResources(used) })
      const desired = { ...resource, ...key, objects: await objects(step, used) }
      const { outcome, managedResource } = await ensureManagedResource(step.kubernetes, desired)
      if (outcome !== 'same') step.log.info('managed resource', { object: idOf(key), outcome })
      // A ManagedResource in deletion must be gone before it is recreated, even if the reconcile does not wait for
      // health.
      const longestMs = outcome === 'deleting' ? longestDeletionMs : healthyWithinMs(step)
      if (longestMs === undefined) return success
      const waiting = waitForResources(
        step,
        {
          name: outcome === 'deleting' ? 'gone-to-be-made' : 'healthy',
          doing: `could not wait for managed resource ${key.name} to be healthy`,
          longestMs,
          progress: 50,
        },
        [healthyWait(key, managedResource, 'ignored')],
      )
      return waiting ?? success
    },
    remove: step => removeResource(step, resource, keyOf(step)),
    forceRemove: async step => {
      await deleteManagedResource(step.kubernetes, keyOf(step))
      return done()
    },
    orphans: ({ object: { metadata } }) => resourceTexts(metadata.namespace ?? '', [resource.name]),
    migrate: async step => {
      const key = keyOf(step)
      const observed = await readManagedResource(step.kubernetes, key)
      if (resource.class === undefined) await orphanObjects(step.kubernetes, key, observed ?? null)
      return removeResource(step, resource, key, observed ?? null)
    },
  }
}

/** Deletes the ManagedResource, waits until it is gone, and then removes its Secrets. */
const removeResource = async (
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
