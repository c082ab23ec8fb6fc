/** An in-memory API server. */

export type { AskedReview } from './admission/webhooks/webhook-admission.ts'
export {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
  type RestoreOptions,
} from './api-server.ts'
export type { ApiView, ApiViewOptions, ShownPast, SkippedEvents } from './past/api-view.ts'
export { jsonPatch } from './patch/json-patch.ts'
export { labelSelector } from './read/selectors.ts'
export type { LoggedRequest } from './requests/request-log.ts'
export { matchesSelector } from './resources/matches-selector.ts'
export type { EnforcedSchema } from './schema/structural-schema.ts'
export { storeKey } from './store/object-key.ts'
export type { EtcdBackup, Store } from './store/store.ts'

// For the suites of other rooms.

export type { FaultEffect } from './faults.ts'
export type { HttpListener } from './http-listener.ts'
export { kubeconfigFor } from './kubeconfig.ts'
export { builtInTypes } from './resources/built-in-types.ts'
export { restoreServer } from './restore-server.ts'
export { decodeProtobuf, protobufType } from './wire/decode-protobuf.ts'
