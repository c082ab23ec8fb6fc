import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ApiContext } from '../requests/api-context.ts'
import { ApiError } from '../requests/api-error.ts'
import type { ResourceDefinition } from '../resources/resource-definition.ts'
import { deleteObject } from '../write/delete-object.ts'
import { tidyMetadata } from '../write/metadata.ts'

/** Deletes an object that is not in deletion. A refusal is ignored: the controller tries again at the next event. */
export const deleteInBackground = (
  context: ApiContext,
  type: ResourceDefinition,
  { metadata: { namespace, name, deletionTimestamp } }: KubernetesObject,
): void => {
  if (deletionTimestamp !== undefined) return
  try {
    deleteObject(context, type, namespace, name, { propagation: 'Background', dryRun: false })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Removes a finalizer from an object in deletion, and the object if it has no other. */
export const dropFinalizer = (
  { store }: ApiContext,
  resource: string,
  key: string,
  finalizer: string,
): void => {
  const collection = store.collection(resource)
  const present = collection.get(key)?.object
  if (!present) return
  const held = present.metadata.finalizers ?? []
  const finalizers = held.filter(name => name !== finalizer)
  const object = { ...present, metadata: tidyMetadata({ ...present.metadata, finalizers }) }
  if (finalizers.length === 0) collection.remove(key, object)
  else if (finalizers.length < held.length) collection.put(key, object)
}
