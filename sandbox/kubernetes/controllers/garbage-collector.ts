import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ApiContext } from '../requests/api-context.ts'
import { isRecord, type JsonRecord } from '../schema/structural-schema.ts'
import { tidyMetadata } from '../write/metadata.ts'
import type { Controller } from './controller.ts'
import { deleteInBackground, dropFinalizer } from './remove-object.ts'

const ownersOf = (object: KubernetesObject): readonly JsonRecord[] => {
  const { ownerReferences } = object.metadata
  return Array.isArray(ownerReferences) ? ownerReferences.filter(isRecord) : []
}

const ownerIds = (object: KubernetesObject): readonly string[] =>
  ownersOf(object).map(owner => String(owner.uid))

interface OwnerPlace {
  readonly resource: string
  readonly key: string
}

/**
 * Deletes the dependents of a deleted object once their last owner is deleted. Respects the finalizers of foreground
 * deletion and orphaning.
 */
export const garbageCollector = (context: ApiContext): Controller => {
  const dependents = new Map<string, Map<string, OwnerPlace>>()
  const alive = new Map<string, OwnerPlace>()

  const track = (
    resource: string,
    key: string,
    before: KubernetesObject | undefined,
    after?: KubernetesObject,
  ) => {
    for (const uid of before ? ownerIds(before) : []) dependents.get(uid)?.delete(`${resource} ${key}`)
    for (const uid of after ? ownerIds(after) : []) {
      const places = dependents.get(uid) ?? new Map<string, OwnerPlace>()
      dependents.set(uid, places.set(`${resource} ${key}`, { resource, key }))
    }
  }

  const remove = ({ resource, key }: OwnerPlace): void => {
    const type = context.registry.byName(resource)
    const entry = context.store.collection(resource).get(key)
    if (type && entry) deleteInBackground(context, type, entry.object)
  }

  const release = ({ resource, key }: OwnerPlace, uid: string): void => {
    const collection = context.store.collection(resource)
    const entry = collection.get(key)
    if (!entry) return
    const ownerReferences = ownersOf(entry.object).filter(owner => owner.uid !== uid)
    collection.put(key, {
      ...entry.object,
      metadata: tidyMetadata({ ...entry.object.metadata, ownerReferences }),
    })
  }

  /** An owner in foreground deletion is deleted after its last dependent. */
  const releaseOwner = (uid: string): void => {
    const place = alive.get(uid)
    const owner = place && context.store.collection(place.resource).get(place.key)
    if (!place || !owner || (dependents.get(uid)?.size ?? 0) > 0) return
    const { deletionTimestamp, finalizers = [] } = owner.object.metadata
    if (deletionTimestamp === undefined || !finalizers.includes('foregroundDeletion')) return
    dropFinalizer(context, place.resource, place.key, 'foregroundDeletion')
  }

  return (resource, event) => {
    const present = event.type === 'DELETED' ? undefined : event.entry.object
    track(resource, event.key, event.previous?.object, present)
    const uid = event.entry.object.metadata.uid ?? ''
    const mine = [...(dependents.get(uid)?.values() ?? [])]
    if (!present) {
      alive.delete(uid)
      dependents.delete(uid)
      for (const place of mine) {
        const entry = context.store.collection(place.resource).get(place.key)
        if (entry && !ownerIds(entry.object).some(owner => alive.has(owner))) remove(place)
      }
      for (const owner of ownerIds(event.entry.object)) releaseOwner(owner)
      return
    }
    alive.set(uid, { resource, key: event.key })
    const { deletionTimestamp, finalizers = [] } = present.metadata
    if (deletionTimestamp === undefined) return
    if (finalizers.includes('orphan')) {
      for (const place of mine) release(place, uid)
      dropFinalizer(context, resource, event.key, 'orphan')
    } else if (finalizers.includes('foregroundDeletion')) {
      for (const place of mine) remove(place)
      releaseOwner(uid)
    }
  }
}
