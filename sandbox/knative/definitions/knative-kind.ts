import type { V1CustomResourceColumnDefinition } from '@kubernetes/client-node'
import type { Json } from '../../../shared/kubernetes/kubernetes.ts'
import type { EnforcedSchema } from '../../kubernetes/kubernetes.ts'

/** What a CustomResourceDefinition of Knative says; all are namespaced, in one version, with a status of its own. */
export interface KnativeKind {
  readonly group: string
  /** Absent: v1. */
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
