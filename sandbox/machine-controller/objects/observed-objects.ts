import { idOf, type KubernetesObject, keyOf, type ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'

/** The objects of one kind as far as they are known: what watches bring, and the answers of own writes. */
export interface ObservedObjects<T extends KubernetesObject> {
  get(key: ObjectKey): T | undefined
  list(namespace: string): readonly T[]
  all(): readonly T[]
  /** Takes an object in unless a later version of it is known. */
  put(object: T): void
  remove(key: ObjectKey): void
}

/** Tells `changed` of every difference, with what was known before. */
export const createObservedObjects = <T extends KubernetesObject>(
  changed: (now: T | undefined, before: T | undefined) => void,
): ObservedObjects<T> => {
  const objects = new Map<string, T>()
  /** Uids of what is gone: a late answer to a write does not bring it back. */
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
      // The last finalizer was taken off: it is gone with the answer.
      if (deletionTimestamp !== undefined && finalizers.length === 0) return remove(keyOf(object))
      objects.set(id, object)
      changed(object, before)
    },
    remove,
  }
}

/** API servers count versions (KEP-5504). */
const versionOf = ({ metadata }: KubernetesObject): number => Number(metadata.resourceVersion ?? 0)
