import type { ManagedObjectReference } from '../../../shared/contract/objects.ts'
import { idOf } from './apply-object.ts'
import type { TargetCluster } from './target-cluster.ts'

/**
 * Deletes applied objects, except those that are annotated to be retained or belong to the garbage collector. Resolves
 * with the ids of those that finalizers block.
 */
export const deleteObjects = async (
  target: TargetCluster,
  references: readonly ManagedObjectReference[],
): Promise<readonly string[]> => {
  const left: string[] = []
  for (const { apiVersion = '', kind = '', name = '', namespace } of references) {
    const resource = await target.find(apiVersion, kind)
    if (resource === undefined) continue
    const key = namespace === undefined ? { name } : { name, namespace }
    const present = await target.kubernetes.get(resource, key)
    if (present === undefined) continue
    const { annotations = {}, labels = {}, uid } = present.metadata
    if (annotations['resources.gardener.cloud/keep-object'] === 'true') continue
    if (labels['resources.gardener.cloud/garbage-collectable-reference'] === 'true') continue
    await target.kubernetes.delete(resource, key, uid === undefined ? {} : { uid })
    if ((await target.kubernetes.get(resource, key))?.metadata.uid === uid)
      left.push(idOf({ apiVersion, kind, metadata: key }))
  }
  return left
}
