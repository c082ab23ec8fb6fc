import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  ObjectKey,
  Subresource,
} from '../../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../../lifecycle/lifecycle.ts'

/** The API server as a plan may use it. */
export type ReadKubernetes = Pick<Kubernetes, 'get' | 'list'>

/** A write that was not made. */
export type NotedWrite =
  | {
      readonly verb: 'create'
      readonly resource: GroupVersionResource
      readonly key: ObjectKey
      readonly object: KubernetesObject
    }
  | {
      readonly verb: 'patch'
      readonly resource: GroupVersionResource
      readonly key: ObjectKey
      /** As it was read; undefined: it was not. */
      readonly present: KubernetesObject | undefined
      /** A merge patch, without what only makes it hold for the object that was read. */
      readonly patch: object
      readonly subresource: Subresource | undefined
    }
  | { readonly verb: 'delete'; readonly resource: GroupVersionResource; readonly key: ObjectKey }

export interface NotedKubernetes {
  readonly kubernetes: StepKubernetes
  /** In the order in which they would be made. */
  readonly writes: () => readonly NotedWrite[]
}

/**
 * A port for the code of a step that notes each write in place of making it. Reads are made once: all parts of a plan see the
 * same objects, however long it takes, and none sees a write.
 */
export const notedKubernetes = (reader: ReadKubernetes, signal: AbortSignal): NotedKubernetes => {
  const writes: NotedWrite[] = []
  const present = new Map<string, KubernetesObject>()
  const answers = new Map<string, Promise<unknown>>()
  const once = <T>(question: readonly unknown[], read: () => Promise<T>): Promise<T> => {
    const id = JSON.stringify(question)
    const known = answers.get(id) ?? read()
    answers.set(id, known)
    // The same question is of the same method, and so is its answer.
    return known as Promise<T>
  }
  const idOf = ({ group, plural }: GroupVersionResource, { namespace, name }: ObjectKey): string =>
    JSON.stringify([group, plural, namespace, name])
  const keep = (resource: GroupVersionResource, object: KubernetesObject | undefined): void => {
    if (object !== undefined) present.set(idOf(resource, object.metadata), object)
  }
  return {
    writes: () => [...writes],
    kubernetes: {
      get: (resource, key) =>
        once(['get', idOf(resource, key)], async () => {
          const object = await reader.get(resource, key, { signal })
          keep(resource, object)
          return object
        }),
      list: (resource, { signal: _, ...options } = {}) =>
        once(['list', resource.group, resource.plural, options], async () => {
          const page = await reader.list(resource, { ...options, signal })
          for (const item of page.items) keep(resource, item)
          return page
        }),
      create: async (resource, object) => {
        writes.push({ verb: 'create', resource, key: keyOf(object.metadata), object })
        return object
      },
      patch: async (resource, key, patch, { subresource } = {}) => {
        const found = present.get(idOf(resource, key))
        writes.push({
          verb: 'patch',
          resource,
          key: keyOf(key),
          present: found,
          patch: withoutLock(patch),
          subresource,
        })
        return found ?? { apiVersion: '', kind: '', metadata: keyOf(key) }
      },
      delete: async (resource, key) => {
        writes.push({ verb: 'delete', resource, key: keyOf(key) })
      },
    },
  }
}

const keyOf = ({ name, namespace }: ObjectKey) => ({
  name,
  ...(namespace !== undefined && { namespace }),
})

const withoutLock = (patch: object): object => {
  const { metadata, ...fields } = patch as { readonly metadata?: Readonly<Record<string, unknown>> }
  const { uid: _, resourceVersion: __, ...kept } = metadata ?? {}
  return Object.keys(kept).length === 0 ? fields : { ...fields, metadata: kept }
}
