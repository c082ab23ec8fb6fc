import type {
  GroupVersionResource,
  KubernetesObject,
  ObjectKey,
  Subresource,
} from '../../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../actuator.ts'
import { bareKey, type PlanKubernetes, unlocked, withoutLock } from './plan-kubernetes.ts'

/** A write of a step that is planned. */
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
  | {
      readonly verb: 'apply'
      readonly resource: GroupVersionResource
      readonly key: ObjectKey
      /** As it was read; undefined: it was not, or it is not there. */
      readonly present: KubernetesObject | undefined
      /** What is applied, without what only makes it hold for the object that was read. */
      readonly object: KubernetesObject
    }
  | {
      readonly verb: 'delete'
      readonly resource: GroupVersionResource
      readonly key: ObjectKey
      /** As it was read; undefined: it was not. */
      readonly present: KubernetesObject | undefined
    }

export interface NotedKubernetes {
  readonly kubernetes: StepKubernetes
  /** In the order in which they would be made. */
  readonly writes: () => readonly NotedWrite[]
}

/** A port for the code of a step that notes each write; none reaches a cluster. */
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
