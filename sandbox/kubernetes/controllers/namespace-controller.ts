import type { ApiContext } from '../requests/api-context.ts'
import { namespaces } from '../resources/core-types.ts'
import { resourceName } from '../resources/resource-definition.ts'
import { isRecord } from '../schema/structural-schema.ts'
import { storeKey } from '../store/object-key.ts'
import type { Controller } from './controller.ts'
import { deleteInBackground } from './remove-object.ts'

/**
 * Deletes the contents of a namespace in deletion, then the namespace. Admission applies: a protected object blocks its
 * namespace until its deletion is confirmed.
 */
export const namespaceController = (context: ApiContext): Controller => {
  const empty = (namespace: string): boolean => {
    let isEmpty = true
    for (const type of context.registry.all()) {
      if (!type.namespaced) continue
      for (const { object } of context.store.collection(resourceName(type)).list(`${namespace}/`)) {
        isEmpty = false
        deleteInBackground(context, type, object)
      }
    }
    return isEmpty
  }

  const finish = (namespace: string): void => {
    const collection = context.store.collection('namespaces')
    const entry = collection.get(namespace)
    if (!entry || !isRecord(entry.object.spec)) return
    const object = { ...entry.object, spec: { ...entry.object.spec, finalizers: [] } }
    if ((object.metadata.finalizers ?? []).length === 0) collection.remove(namespace, object)
    else if (namespaces.holdsDeletion?.(entry.object)) collection.put(namespace, object)
  }

  return (resource, event) => {
    const { namespace, name } = event.entry.object.metadata
    const affected = resource === 'namespaces' ? name : namespace
    if (affected === undefined) return
    const entry = context.store.collection('namespaces').get(storeKey(undefined, affected))
    if (entry?.object.metadata.deletionTimestamp === undefined) return
    if (empty(affected)) finish(affected)
  }
}
