import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'

/** The change of an object of a ManagedResource or a step. */
export interface ObjectChange {
  readonly kind: 'create' | 'update' | 'delete'
  readonly id: ObjectId
  /** Without secrets. Undefined: the object does not exist. */
  readonly before: KubernetesObject | undefined
  readonly after: KubernetesObject | undefined
  /** All changes, if one sentence describes them: checksums that restart pods, trusted certificates. */
  readonly summary: string | undefined
}

export interface ObjectId {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}
