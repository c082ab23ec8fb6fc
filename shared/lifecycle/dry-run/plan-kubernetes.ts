import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  ObjectKey,
} from '../../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../actuator.ts'

/** The API server's calls that a plan may use. */
export type ReadKubernetes = Pick<Kubernetes, 'get' | 'list'>

/** Replaces the API server for the plan of a step: reads the real one and writes nothing. */
export interface PlanKubernetes extends StepKubernetes {
  /** Returns an object from earlier reads. Undefined: not read. */
  readonly present: (resource: GroupVersionResource, key: ObjectKey) => KubernetesObject | undefined
}

/** Caches reads, so that all parts of a plan see the same objects, however long it takes. */
export const readOnce = (
  reader: ReadKubernetes,
  signal: AbortSignal,
): Pick<PlanKubernetes, 'get' | 'list' | 'present'> => {
  const present = new Map<string, KubernetesObject>()
  const answers = new Map<string, Promise<unknown>>()
  const once = <T>(question: readonly unknown[], read: () => Promise<T>): Promise<T> => {
    const id = JSON.stringify(question)
    const known = answers.get(id) ?? read()
    answers.set(id, known)
    // Equal questions call the same method, so the types match.
    return known as Promise<T>
  }
  const store = (resource: GroupVersionResource, object: KubernetesObject | undefined): void => {
    if (object !== undefined) present.set(idOf(resource, object.metadata), object)
  }
  return {
    present: (resource, key) => present.get(idOf(resource, key)),
    get: (resource, key) =>
      once(['get', idOf(resource, key)], async () => {
        const object = await reader.get(resource, key, { signal })
        store(resource, object)
        return object
      }),
    list: (resource, { signal: _, ...options } = {}) =>
      once(['list', resource.group, resource.plural, options], async () => {
        const page = await reader.list(resource, { ...options, signal })
        for (const item of page.items) store(resource, item)
        return page
      }),
  }
}

/** Reads never see writes. For steps that use only what they read first. */
export const unchangedKubernetes = (reader: ReadKubernetes, signal: AbortSignal): PlanKubernetes => {
  const read = readOnce(reader, signal)
  return {
    ...read,
    create: async (_, object) => object,
    patch: async (resource, key) =>
      read.present(resource, key) ?? { apiVersion: '', kind: '', metadata: bareKey(key) },
    apply: async (resource, object) => read.present(resource, bareKey(object.metadata)) ?? object,
    delete: async () => {},
  }
}

/** Returns the id of an object, independent of the version of its resource. */
export const idOf = ({ group, plural }: GroupVersionResource, { namespace, name }: ObjectKey): string =>
  JSON.stringify([group, plural, namespace, name])

export const bareKey = ({ name, namespace }: ObjectKey) => ({
  name,
  ...(namespace !== undefined && { namespace }),
})

/** Returns a merge patch without its preconditions on uid and version. */
export const withoutLock = (patch: object): object => {
  const { metadata, ...fields } = patch as { readonly metadata?: Readonly<Record<string, unknown>> }
  const { uid: _, resourceVersion: __, ...kept } = metadata ?? {}
  return Object.keys(kept).length === 0 ? fields : { ...fields, metadata: kept }
}

/** Returns an applied object without its preconditions on uid and version. */
export const unlocked = ({ metadata, ...fields }: KubernetesObject): KubernetesObject => {
  const { uid: _, resourceVersion: __, ...kept } = metadata
  return { ...fields, metadata: { ...kept, name: metadata.name } } as KubernetesObject
}
