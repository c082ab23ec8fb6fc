import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ResourceDefinition } from '../resources/resource-definition.ts'

/** A write that is about to happen. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly type: ResourceDefinition
  /** In which version of the resource it came. */
  readonly version: string
  readonly namespace: string | undefined
  /** Empty while it is still to be made up. */
  readonly name: string
  readonly subresource: string | undefined
  /** Absent for DELETE. */
  readonly object?: KubernetesObject
  /** Absent for CREATE. */
  readonly oldObject?: KubernetesObject
  readonly dryRun: boolean
}

/** Lets a write pass, or throws the `ApiError` that the client gets. */
export type Admission = (request: AdmissionRequest) => void

/** Makes of the object of a write what is stored in its place, or throws the `ApiError` that the client gets. */
export type Mutation = (request: AdmissionRequest & { readonly object: KubernetesObject }) => KubernetesObject

export const admit = (admission: readonly Admission[], request: AdmissionRequest): void => {
  for (const check of admission) check(request)
}
