import type { Operation } from 'rfc6902'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** What came of one review. No field holds a secret value. */
export interface ReplayedReview {
  readonly file: string
  readonly webhook: string
  /** `aws/controlplane` */
  readonly path: string
  readonly about: {
    readonly kind: string
    readonly operation: string
    readonly namespace?: string
    readonly name: string
  }
  /** The Cluster is made up, as nobody gave one. */
  readonly assumed: boolean
  readonly allowed: boolean
  readonly code: number
  readonly message?: string
  readonly warnings: readonly string[]
  readonly patch: readonly Operation[]
  readonly before: KubernetesObject
  readonly after: KubernetesObject
}
