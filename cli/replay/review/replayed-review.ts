import type { PatchStep } from '../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** The result of one review. No field contains a secret value. */
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
  /** True if the Cluster was generated, because none was given. */
  readonly assumed: boolean
  readonly allowed: boolean
  readonly code: number
  readonly message?: string
  readonly warnings: readonly string[]
  readonly patch: readonly PatchStep[]
  readonly before: KubernetesObject
  readonly after: KubernetesObject
}
