import { deleteObject } from '../../../shared/kubernetes/keep-object.ts'
import type {
  GroupVersionResource,
  KubernetesObject,
  ObjectKey,
} from '../../../shared/kubernetes/kubernetes.ts'
import { fieldManager } from './names.ts'
import type { ProviderKubernetes } from './provider-clusters.ts'

export interface RemovedObjects {
  /** How many were there, and may still be. */
  readonly there: number
  /** `services bastion-a`: has the name of one of ours, and was not made by us. It was left alone. */
  readonly foreign: readonly string[]
}

/**
 * Deletes what is there and ours, in the order given: the very objects that were read. Ours is what its manager of fields has
 * applied to, here or in the Go extension.
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
