import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ResourceDefinition } from '../resources/resource-definition.ts'

/** A write that is about to happen. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly type: ResourceDefinition
  readonly namespace: string | undefined
  readonly name: string
  readonly subresource: string | undefined
  /** Absent for DELETE. */
  readonly object?: KubernetesObject
  /** Absent for CREATE. */
  readonly oldObject?: KubernetesObject
}

/** Lets a write pass, or throws the `ApiError` that the client gets. */
export type Admission = (request: AdmissionRequest) => void

export const admit = (admission: readonly Admission[], request: AdmissionRequest): void => {
  for (const check of admission) check(request)
}
