import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'

/** An object that a ManagedResource, or a step by itself, has, will have, or has in another form. */
export interface ObjectChange {
  readonly kind: 'create' | 'update' | 'delete'
  readonly id: ObjectId
  /** Without secrets; undefined: there is none. */
  readonly before: KubernetesObject | undefined
  readonly after: KubernetesObject | undefined
  /** All that changes, where that is told in a sentence: checksums for which pods start anew, certificates to trust. */
  readonly summary: string | undefined
}

export interface ObjectId {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}
