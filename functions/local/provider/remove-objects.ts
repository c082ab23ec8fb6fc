import { deleteObject } from '../../../shared/kubernetes/ensure-object.ts'
import type {
  GroupVersionResource,
  KubernetesObject,
  ObjectKey,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import { fieldManager } from './names.ts'
import type { ProviderKubernetes } from './provider-clusters.ts'

/**
 * Deletes existing objects of ours in the given order, exactly as they were read. An object is ours if our field
 * manager has applied it, here or in the Go extension; others with these names are logged and retained. Returns the
 * number of ours that existed, and may still exist.
 */
export const removeObjects = async (
  kubernetes: Pick<ProviderKubernetes, 'get' | 'delete'>,
  targets: readonly { readonly resource: GroupVersionResource; readonly key: ObjectKey }[],
  log: Log,
): Promise<number> => {
  const found = await Promise.all(
    targets.map(async ({ resource, key }) => ({ resource, object: await kubernetes.get(resource, key) })),
  )
  const foreign: string[] = []
  let there = 0
  for (const { resource, object } of found) {
    if (object === undefined) continue
    if (!isApplied(object)) {
      foreign.push(`${resource.plural} ${object.metadata.name}`)
      continue
    }
    there++
    await deleteObject(kubernetes, resource, object)
  }
  if (foreign.length > 0) log.warn('resources are orphaned', { resources: foreign })
  return there
}

const isApplied = ({ metadata: { managedFields } }: KubernetesObject): boolean =>
  Array.isArray(managedFields) &&
  managedFields.some(
    (one: unknown) => Object(one).manager === fieldManager && Object(one).operation === 'Apply',
  )
