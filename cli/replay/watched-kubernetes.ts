import { unknownAfter } from '../../shared/control-plane/preview/unknown-after.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  ObjectKey,
} from '../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../shared/lifecycle/lifecycle.ts'

/** One write, without its content, which may be that of a Secret. */
export interface ObjectWrite {
  readonly verb: 'create' | 'replace' | 'patch' | 'apply' | 'delete'
  readonly resource: string
  readonly name: string
  readonly subresource?: string
}

/** A Kubernetes port that records its calls. */
export interface WatchedKubernetes {
  readonly kubernetes: Kubernetes
  readonly reads: () => number
  readonly writes: () => readonly ObjectWrite[]
  /** Returns an object after the last successful write; undefined if it was not written. */
  readonly lastWritten: (resource: GroupVersionResource, key: ObjectKey) => KubernetesObject | undefined
  /** The base64 values of every Secret that was read. */
  readonly secretValues: () => readonly string[]
  /** Names of Secrets that are derived from random keys and differ in each run, with their replacements. */
  readonly unknownNames: () => ReadonlyMap<string, string>
}

const nameOf = (resource: GroupVersionResource, { namespace, name }: ObjectKey): string =>
  `${resource.plural} ${namespace === undefined ? '' : `${namespace}/`}${name}`

export const watchKubernetes = (inner: Kubernetes): WatchedKubernetes => {
  let reads = 0
  const writes: ObjectWrite[] = []
  const written = new Map<string, KubernetesObject>()
  const values = new Set<string>()
  const seen = new Map<string, KubernetesObject>()

  const noteSecret = (resource: GroupVersionResource, object: KubernetesObject | undefined): void => {
    if (resource.plural !== secrets.plural || resource.group !== secrets.group) return
    if (object !== undefined) seen.set(nameOf(resource, object.metadata), object)
    for (const value of Object.values(object?.data ?? {})) if (typeof value === 'string') values.add(value)
  }
  const note = (
    verb: ObjectWrite['verb'],
    resource: GroupVersionResource,
    key: ObjectKey,
    subresource?: string,
  ): void => {
    const { namespace, name } = key
    writes.push({
      verb,
      resource: resource.plural,
      name: namespace === undefined ? name : `${namespace}/${name}`,
      ...(subresource !== undefined && { subresource }),
    })
  }
  const record = (
    resource: GroupVersionResource,
    key: ObjectKey,
    object: KubernetesObject,
  ): KubernetesObject => {
    written.set(nameOf(resource, key), object)
    noteSecret(resource, object)
    return object
  }

  return {
    kubernetes: {
      get: async (resource, key, options) => {
        reads++
        const object = await inner.get(resource, key, options)
        noteSecret(resource, object)
        return object
      },
      list: async (resource, options) => {
        reads++
        const page = await inner.list(resource, options)
        for (const item of page.items) noteSecret(resource, item)
        return page
      },
      watch: (resource, options) => {
        reads++
        return inner.watch(resource, options)
      },
      create: async (resource, object, options) => {
        note('create', resource, object.metadata)
        return record(resource, object.metadata, await inner.create(resource, object, options))
      },
      replace: async (resource, object, options) => {
        note('replace', resource, object.metadata, options?.subresource)
        return record(resource, object.metadata, await inner.replace(resource, object, options))
      },
      patch: async (resource, key, patch, options) => {
        note('patch', resource, key, options?.subresource)
        return record(resource, key, await inner.patch(resource, key, patch, options))
      },
      apply: async (resource, object, options) => {
        note('apply', resource, object.metadata)
        return record(resource, object.metadata, await inner.apply(resource, object, options))
      },
      delete: async (resource, key, options) => {
        note('delete', resource, key)
        await inner.delete(resource, key, options)
      },
    },
    reads: () => reads,
    writes: () => [...writes],
    lastWritten: (resource, key) => written.get(nameOf(resource, key)),
    secretValues: () => [...values],
    unknownNames: () => unknownAfter([...seen.values()], '…').unknownNames,
  }
}
