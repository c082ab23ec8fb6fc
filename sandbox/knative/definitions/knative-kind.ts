import type { V1CustomResourceColumnDefinition } from '@kubernetes/client-node'
import type { Json } from '../../../shared/kubernetes/kubernetes.ts'
import type { EnforcedSchema } from '../../kubernetes/kubernetes.ts'

/**
 * The content of a Knative CustomResourceDefinition. All are namespaced, have one version and a status subresource.
 */
export interface KnativeKind {
  readonly group: string
  /** Default: v1. */
  readonly version?: string
  readonly names: {
    readonly kind: string
    readonly plural: string
    readonly singular: string
    readonly categories: readonly string[]
    readonly shortNames?: readonly string[]
  }
  readonly columns: readonly Json<V1CustomResourceColumnDefinition>[]
  readonly schema: EnforcedSchema
}
