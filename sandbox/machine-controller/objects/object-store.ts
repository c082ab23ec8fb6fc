import type * as z from 'zod'
import type { ApiKind } from '../../../shared/contract/api-kind.ts'
import {
  type Kubernetes,
  type KubernetesObject,
  keyOf,
  keyOfId,
} from '../../../shared/kubernetes/kubernetes.ts'
import { createObservedObjects, type ObservedObjects } from './observed-objects.ts'

/** The objects of a kind, with the writes of the machine controller. The results of writes are visible at once. */
export interface ObjectStore<T extends KubernetesObject> extends ObservedObjects<T> {
  /** Returns the object with that id, see `idOf`. */
  byId(id: string): T | undefined
  /** Stores an object from a watch. */
  take(object: KubernetesObject): void
  create(object: KubernetesObject): Promise<T>
  /** Merge-patches any version of the object. */
  patch(object: T, patch: object): Promise<T>
  /** Replaces the whole spec. Unlike a patch it removes missing fields. */
  replaceSpec(object: T, spec: object): Promise<T>
  /** Rejects with 409 if the object is not the current version. */
  writeStatus(object: T, status: object): Promise<T>
  /** Adds or removes the finalizer if needed. Rejects with 409 like `writeStatus`. */
  setFinalizer(object: T, finalizer: string, wanted: boolean): Promise<T>
  /** Deletes this object, but not a newer one of the same name. Resolves with the object if finalizers block it. */
  delete(object: T): Promise<T | undefined>
}

export const createObjectStore = <S extends z.ZodType<KubernetesObject>>(
  kubernetes: Kubernetes,
  { resource, schema }: ApiKind<S>,
  signal: AbortSignal,
  changed: (now: z.infer<S> | undefined, before: z.infer<S> | undefined) => void,
): ObjectStore<z.infer<S>> => {
  const observed = createObservedObjects<z.infer<S>>(changed)

  const taken = (object: KubernetesObject): z.infer<S> => {
    const parsed = schema.parse(object)
    observed.put(parsed)
    return parsed
  }

  const patch = async (object: KubernetesObject, body: object) =>
    taken(await kubernetes.patch(resource, keyOf(object), body, { signal }))

  return {
    ...observed,
    byId: id => observed.get(keyOfId(id)),
    take: object => {
      const { uid, resourceVersion } = observed.get(keyOf(object))?.metadata ?? {}
      // Each own write comes back from the watch.
      if (
        uid === undefined ||
        uid !== object.metadata.uid ||
        resourceVersion !== object.metadata.resourceVersion
      )
        taken(object)
    },
    create: async object => taken(await kubernetes.create(resource, object, { signal })),
    patch,
    replaceSpec: async (object, spec) => {
      const present = await kubernetes.get(resource, keyOf(object), { signal })
      if (present === undefined || present.metadata.uid !== object.metadata.uid) return object
      return taken(await kubernetes.replace(resource, { ...present, spec }, { signal }))
    },
    writeStatus: async (object, status) => {
      const written = { ...object, status }
      return taken(await kubernetes.replace(resource, written, { subresource: 'status', signal }))
    },
    setFinalizer: async (object, finalizer, wanted) => {
      const { finalizers = [], resourceVersion } = object.metadata
      if (finalizers.includes(finalizer) === wanted) return object
      const others = finalizers.filter(name => name !== finalizer)
      const next = wanted ? [...others, finalizer] : others
      return patch(object, { metadata: { resourceVersion, finalizers: next } })
    },
    delete: async object => {
      const { uid } = object.metadata
      await kubernetes.delete(resource, keyOf(object), { signal, ...(uid !== undefined && { uid }) })
      const left = await kubernetes.get(resource, keyOf(object), { signal })
      return left !== undefined && left.metadata.uid === uid ? taken(left) : undefined
    },
  }
}
