/**
 * The API server. Everything else asks it through the port `Kubernetes`; who starts a process chooses how it is reached
 * (`clusterAccess`), over which connections (a transport), and makes the client of both (`createKubernetes`). What must
 * never miss a change holds a `Reflector`.
 */

// The port.

export {
  type ApplyOptions,
  ConnectionError,
  type GroupVersionResource,
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

// How a process gets one: where the API server is and who asks, the connections, the client.

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

// One object, made what it shall be.

// All objects of a kind, and every change of them.

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
