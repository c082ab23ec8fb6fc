import type * as z from 'zod'
import type { ApiKind } from '../../../shared/contract/api-kind.ts'
import {
  type Kubernetes,
  type KubernetesObject,
  keyOf,
  keyOfId,
} from '../../../shared/kubernetes/kubernetes.ts'
import { createObservedObjects, type ObservedObjects } from './observed-objects.ts'

/** The objects of a kind, with the writes that the machine controller makes: their answers are known at once. */
export interface ObjectStore<T extends KubernetesObject> extends ObservedObjects<T> {
  /** What is known of the object of that id, of `idOf`. */
  byId(id: string): T | undefined
  /** Takes in what a watch brings. */
  take(object: KubernetesObject): void
  create(object: KubernetesObject): Promise<T>
  /** A merge patch of whatever version is there. */
  patch(object: T, patch: object): Promise<T>
  /** Puts the spec in place of the one that is there: unlike a patch it takes away what it does not have. */
  replaceSpec(object: T, spec: object): Promise<T>
  /** Rejects with 409 when it is not the present version. */
  writeStatus(object: T, status: object): Promise<T>
  /** Puts the finalizer on or takes it off, where it is not so already. Rejects with 409 like `writeStatus`. */
  setFinalizer(object: T, finalizer: string, wanted: boolean): Promise<T>
  /** Deletes this object, and none that has its name by now. Resolves with what finalizers hold of it. */
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
    take: object => void taken(object),
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
