import type {
  GroupVersionResource,
  KubernetesObject,
  ObjectKey,
  Subresource,
} from '../../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../actuator.ts'
import { bareKey, type PlanKubernetes, unlocked, withoutLock } from './plan-kubernetes.ts'

/** A write of a planned step. */
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
      /** The object as it was read. Undefined: not read. */
      readonly present: KubernetesObject | undefined
      /** A merge patch without its preconditions on the object's uid and version. */
      readonly patch: object
      readonly subresource: Subresource | undefined
    }
  | {
      readonly verb: 'apply'
      readonly resource: GroupVersionResource
      readonly key: ObjectKey
      /** The object as it was read. Undefined: not read, or missing. */
      readonly present: KubernetesObject | undefined
      /** The applied object without its preconditions on uid and version. */
      readonly object: KubernetesObject
    }
  | {
      readonly verb: 'delete'
      readonly resource: GroupVersionResource
      readonly key: ObjectKey
      /** The object as it was read. Undefined: not read. */
      readonly present: KubernetesObject | undefined
    }

export interface NotedKubernetes {
  readonly kubernetes: StepKubernetes
  /** In the order of execution. */
  readonly writes: () => readonly NotedWrite[]
}

/** Returns a port for the code of a step that records each write. No write reaches a cluster. */
export const notedKubernetes = (inner: PlanKubernetes): NotedKubernetes => {
  const writes: NotedWrite[] = []
  return {
    writes: () => [...writes],
    kubernetes: {
      get: inner.get,
      list: inner.list,
      create: async (resource, object) => {
        const created = await inner.create(resource, object)
        writes.push({ verb: 'create', resource, key: bareKey(object.metadata), object })
        return created
      },
      patch: async (resource, key, patch, { subresource } = {}) => {
        const present = inner.present(resource, key)
        const patched = await inner.patch(resource, key, patch, subresource && { subresource })
        const noted = { resource, key: bareKey(key), present, patch: withoutLock(patch), subresource }
        writes.push({ verb: 'patch', ...noted })
        return patched
      },
      apply: async (resource, object, options) => {
        const key = bareKey(object.metadata)
        const present = inner.present(resource, key)
        const applied = await inner.apply(resource, object, options)
        writes.push({ verb: 'apply', resource, key, present, object: unlocked(object) })
        return applied
      },
      delete: async (resource, key) => {
        const present = inner.present(resource, key)
        await inner.delete(resource, key)
        writes.push({ verb: 'delete', resource, key: bareKey(key), present })
      },
    },
  }
}
