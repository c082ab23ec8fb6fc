import { idOf, type KubernetesObject, keyOf, type ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'

/** The known objects of one kind, from watches and the responses of own writes. */
export interface ObservedObjects<T extends KubernetesObject> {
  get(key: ObjectKey): T | undefined
  list(namespace: string): readonly T[]
  all(): readonly T[]
  /** Stores an object unless a later version is known. */
  put(object: T): void
  remove(key: ObjectKey): void
}

/** Calls `changed` for every difference, with the previous object. */
export const createObservedObjects = <T extends KubernetesObject>(
  changed: (now: T | undefined, before: T | undefined) => void,
): ObservedObjects<T> => {
  const objects = new Map<string, T>()
  /** Uids of deleted objects. A late response to a write must not restore them. */
  const gone = new Set<string>()

  const remove = (key: ObjectKey): void => {
    const before = objects.get(idOf(key))
    if (before === undefined) return
    objects.delete(idOf(key))
    gone.add(before.metadata.uid ?? '')
    changed(undefined, before)
  }

  return {
    get: key => objects.get(idOf(key)),
    list: namespace => [...objects.values()].filter(({ metadata }) => metadata.namespace === namespace),
    all: () => [...objects.values()],
    put: object => {
      const id = idOf(keyOf(object))
      const before = objects.get(id)
      const { uid = '', deletionTimestamp, finalizers = [] } = object.metadata
      if (gone.has(uid)) return
      if (before?.metadata.uid === uid && versionOf(before) >= versionOf(object)) return
      // Removing the last finalizer deletes the object.
      if (deletionTimestamp !== undefined && finalizers.length === 0) return remove(keyOf(object))
      objects.set(id, object)
      changed(object, before)
    },
    remove,
  }
}

/** Versions of API servers are numbers (KEP-5504). */
const versionOf = ({ metadata }: KubernetesObject): number => Number(metadata.resourceVersion ?? 0)
