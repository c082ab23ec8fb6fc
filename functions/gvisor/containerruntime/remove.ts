import { kinds } from '../../../shared/contract/kinds.ts'
import type { ContainerRuntime } from '../../../shared/contract/objects.ts'
import { valueAt } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { listAll } from '../../../shared/kubernetes/list-all.ts'
import { done, type StepContext, type StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import {
  ensureManagedResource,
  readManagedResource,
  removeManagedResources,
  resourceTexts,
} from '../../../shared/resources/resources.ts'
import { commonName, commonResource, installationName } from './managed-resources.ts'
import { type as gvisor } from './type.ts'

/**
 * - `delete`: deletes the objects of the pool, and the shared ones with the last pool
 * - `force`: the same, without waiting
 * - `migrate`: all pools of the shoot leave the seed; the objects in the shoot are retained
 */
export type RuntimeRemoval = 'delete' | 'force' | 'migrate'

type RuntimeStep = StepContext<ContainerRuntime>

/** Deletes a ContainerRuntime. Ignores objects that are already gone, so a step after a wait repeats the same calls. */
export const removeRuntime = async (step: RuntimeStep, mode: RuntimeRemoval): Promise<StepResult> => {
  const { namespace = '' } = step.object.metadata
  const others = mode === 'migrate' ? [] : await liveRuntimes(step)
  const names = namesToRemove(poolOf(step.object), others)

  const waiting = await removeManagedResources(step, {
    namespace,
    resources: names.map(name => ({ name, secretPrefix: 'managedresource-', orphans: mode === 'migrate' })),
    doing: 'could not wait for the managed resources of gVisor to be deleted',
    isForced: mode === 'force',
  })
  if (waiting !== undefined) return waiting
  if (mode === 'delete') await mendCommon(step)
  return done()
}

/** Objects in a forced deletion may lack fields that their schema requires. */
const poolOf = ({ spec }: KubernetesObject): string | undefined => {
  const name = valueAt(spec, 'workerPool', 'name')
  return typeof name === 'string' ? name : undefined
}

/** Names the objects of a pool, and the shared ones: another pool may still need them. */
export const runtimeOrphans = (object: KubernetesObject): readonly string[] =>
  resourceTexts(object.metadata.namespace ?? '', namesToRemove(poolOf(object), []))

const namesToRemove = (pool: string | undefined, others: readonly KubernetesObject[]): readonly string[] => [
  // Another object for the same pool needs it too.
  ...(pool === undefined || others.some(other => poolOf(other) === pool) ? [] : [installationName(pool)]),
  ...(others.length === 0 ? [commonName] : []),
]

/**
 * Returns the other runtimes of the shoot that need the shared objects. A runtime in deletion does not count: it either
 * finds this one or is itself the last.
 */
const liveRuntimes = async ({ kubernetes, object }: RuntimeStep): Promise<readonly KubernetesObject[]> => {
  const { namespace = '', name } = object.metadata
  const all = await listAll(kubernetes, kinds.ContainerRuntime.resource, { namespace })
  return all.filter(
    ({ metadata, spec }) =>
      // A plan may ask about an object that is not being deleted yet.
      metadata.name !== name && metadata.deletionTimestamp === undefined && valueAt(spec, 'type') === gvisor,
  )
}

/**
 * Recreates the shared objects if a runtime was created after the deleter read the list. That runtime may have been
 * reconciled before the deletion: it found the shared objects and does not check them again. So the deleter recreates
 * them. One that is being deleted belongs to another step, which does the same.
 */
const mendCommon = async (step: RuntimeStep): Promise<void> => {
  const { kubernetes, object } = step
  const { namespace = '' } = object.metadata
  if ((await readManagedResource(kubernetes, { name: commonName, namespace })) !== undefined) return
  if ((await liveRuntimes(step)).length === 0) return
  await ensureManagedResource(kubernetes, commonResource(namespace), null)
}
