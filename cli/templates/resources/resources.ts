import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type Actuator, continueAfter, done, type StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type DesiredManagedResource,
  deleteManagedResource,
  ensureManagedResource,
  goneWait,
  longestDeletionMs,
  orphanObjects,
  readManagedResource,
  removeSecretsOf,
  resourceTexts,
  waitForResources,
} from '../../../shared/resources/resources.ts'

/** The objects that the resource manager applies, and the status of the extension object after that. */
export interface DesiredResource {
  readonly resource: DesiredManagedResource
  readonly status?: Readonly<Record<string, unknown>>
}

/**
 * Returns an actuator for a single ManagedResource. It writes the ManagedResource only if it differs. A deletion waits
 * until the objects are gone; a forced deletion does not wait. A migration retains the objects. If a process dies, the
 * next step continues with the existing objects.
 */
export const resourceActuator = <O extends KubernetesObject>(
  desired: (step: Pick<StepContext<O>, 'object' | 'cluster'>) => DesiredResource,
  /** Returns the key of the ManagedResource. It must not depend on the Cluster, which a deletion may no longer find. */
  keyOf: (object: O) => { readonly name: string; readonly namespace: string },
): Actuator<O> => {
  const remove = async (step: StepContext<O>) => {
    const { kubernetes, object } = step
    const key = keyOf(object)
    const present = (await readManagedResource(kubernetes, key)) ?? null
    await deleteManagedResource(kubernetes, key, present)
    const left = present && (await readManagedResource(kubernetes, key))
    const wait = {
      name: 'gone',
      doing: `could not delete ${key.name}`,
      longestMs: longestDeletionMs,
      progress: 50,
    }
    const waiting = waitForResources(step, wait, [goneWait(key, left ?? undefined)])
    if (waiting === undefined) await removeSecretsOf(kubernetes, key.namespace, [key])
    return waiting ?? done()
  }
  return {
    reconcile: async step => {
      const { resource, status } = desired(step)
      const { outcome } = await ensureManagedResource(step.kubernetes, resource)
      if (outcome === 'deleting') return continueAfter(5_000, 10, `Waiting until ${resource.name} is deleted`)
      return done(status)
    },
    remove,
    forceRemove: async ({ kubernetes, object }) => {
      await deleteManagedResource(kubernetes, keyOf(object))
      return done()
    },
    // Named if a forced deletion ends before the ManagedResource is deleted.
    orphans: ({ object }) => {
      const { name, namespace } = keyOf(object)
      return resourceTexts(namespace, [name])
    },
    migrate: async step => {
      await orphanObjects(step.kubernetes, keyOf(step.object))
      return remove(step)
    },
  }
}
