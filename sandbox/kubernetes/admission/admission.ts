import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ResourceDefinition } from '../resources/resource-definition.ts'

/** A write before it is stored. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly type: ResourceDefinition
  /** The version of the resource in the request. */
  readonly version: string
  readonly namespace: string | undefined
  /** Empty until the name is generated. */
  readonly name: string
  readonly subresource: string | undefined
  /** Absent for DELETE. */
  readonly object?: KubernetesObject
  /** Absent for CREATE. */
  readonly oldObject?: KubernetesObject
  readonly dryRun: boolean
}

/** Returns if a write is allowed. Throws the `ApiError` for the client otherwise. */
export type Admission = (request: AdmissionRequest) => void

/**
 * Returns the object to store instead of the written one. Throws the `ApiError` for the client if the write is refused.
 */
export type Mutation = (request: AdmissionRequest & { readonly object: KubernetesObject }) => KubernetesObject

export const admit = (admission: readonly Admission[], request: AdmissionRequest): void => {
  for (const check of admission) check(request)
}
