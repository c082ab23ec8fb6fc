import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { apiVersionOf } from '../../resources/resource-definition.ts'
import type { AdmissionRequest } from '../admission.ts'

/** A fixed user, because requests are not authenticated here. */
const user = { username: 'sandbox', groups: ['system:masters', 'system:authenticated'] }

/**
 * Returns the AdmissionReview (v1) of a write, as kube-apiserver sends it. `uid`: of the review, not of the object.
 */
export const reviewDocument = (
  { type, version, namespace, subresource, ...request }: AdmissionRequest,
  uid: string,
): object => {
  const kind = { group: type.group, version, kind: type.kind }
  const resource = { group: type.group, version, resource: type.plural }
  // A Namespace is reported with itself as its namespace.
  const within = type.group === '' && type.plural === 'namespaces' ? request.name : namespace
  const isOptionsOf = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' }
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid,
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      ...(subresource !== undefined && { subResource: subresource, requestSubResource: subresource }),
      ...(request.name !== '' && { name: request.name }),
      ...(within !== undefined && { namespace: within }),
      operation: request.operation,
      userInfo: user,
      object: inVersion(request.object, type.group, version),
      oldObject: inVersion(request.oldObject, type.group, version),
      dryRun: request.dryRun,
      options: { kind: isOptionsOf[request.operation], apiVersion: 'meta.k8s.io/v1' },
    },
  }
}

const inVersion = (object: KubernetesObject | undefined, group: string, version: string): object | null => {
  if (object === undefined) return null
  const { name, ...metadata } = object.metadata
  return {
    ...object,
    apiVersion: apiVersionOf(group, version),
    metadata: { ...(name !== '' && { name }), ...metadata },
  }
}
