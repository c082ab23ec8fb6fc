import { deleteObject } from '../../../shared/kubernetes/ensure-object.ts'
import type {
  GroupVersionResource,
  KubernetesObject,
  ObjectKey,
} from '../../../shared/kubernetes/kubernetes.ts'
import { fieldManager } from './names.ts'
import type { ProviderKubernetes } from './provider-clusters.ts'

export interface RemovedObjects {
  /** The number of objects that existed, and may still exist. */
  readonly there: number
  /** `services bastion-a`: has the name of one of our objects, but was not created by us. It is retained. */
  readonly foreign: readonly string[]
}

/**
 * Deletes existing objects of ours in the given order, exactly as they were read. An object is ours if our field
 * manager has applied it, here or in the Go extension.
 */
export const removeObjects = async (
  kubernetes: Pick<ProviderKubernetes, 'get' | 'delete'>,
  targets: readonly { readonly resource: GroupVersionResource; readonly key: ObjectKey }[],
): Promise<RemovedObjects> => {
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
  return { there, foreign }
}

const isApplied = ({ metadata: { managedFields } }: KubernetesObject): boolean =>
  Array.isArray(managedFields) &&
  managedFields.some(
    (one: unknown) => Object(one).manager === fieldManager && Object(one).operation === 'Apply',
  )
