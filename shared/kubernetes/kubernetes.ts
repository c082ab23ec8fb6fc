/**
 * The API server. All other code uses the port `Kubernetes`. The start of a process chooses the access
 * (`clusterAccess`) and the connections (a transport), and creates the client (`createKubernetes`). Code that must
 * never miss a change uses a `Reflector`.
 */

// The port.

export {
  type ApplyOptions,
  ConnectionError,
  type GroupVersionResource,
  hasStatus,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ListOptions,
  type ListPage,
  type ObjectKey,
  type ObjectMeta,
  type Subresource,
  subresources,
  type WatchEvent,
  type WatchOptions,
} from './port.ts'

// Creates a client: access to the API server, connections, client.

export { cacheCredentials } from './access/cache-credentials.ts'
export { type ClusterAccess, type Credentials, openAccess } from './access/cluster-access.ts'
export { inlineKubeconfigAccess } from './access/inline-kubeconfig.ts'
export { clusterAccess, kubeconfigAccess } from './access/kubeconfig.ts'
export { createKubernetes } from './client.ts'
export { mergePatch } from './merge-patch.ts'
export { AnswerTooLargeError, answersUpTo } from './transport/answers-up-to.ts'
export { type HttpTransport, httpTransport } from './transport/http-transport.ts'
export { metadataOnly } from './transport/metadata-only.ts'
export { multiplexedTransport } from './transport/multiplexed-transport.ts'
export { readText, type Transport, type TransportRequest } from './transport/transport.ts'

// Objects, permissions, and watches of all objects of a kind.

export { eventResource, type ObjectEvent, objectEvent } from './object-event.ts'
export {
  namesOf,
  type Permission,
  type PermissionPart,
  permissionName,
  permissionParts,
  rbacResource,
  type Verb,
  verbs,
} from './permission.ts'
export { permittedKubernetes } from './permitted.ts'
export { idOf, keyOf, keyOfId } from './reflector/known-objects.ts'
export { createListQueue, type ListQueue } from './reflector/list-queue.ts'
export { createReflector, type Reflector } from './reflector/reflector.ts'
export type { ReflectorHandler, RestartReason } from './reflector/reflector-handler.ts'
export { refusalAdvice } from './refusal-advice.ts'
export type { Json, Rendered } from './rendered.ts'
export { startDeadline } from './transport/deadline.ts'
