/** A broker that reads the manifests of the cluster. */

export { type BrokerOptions, createBroker, type SandboxBroker } from './broker.ts'
export { type BrokerCore, createBrokerCore } from './broker-core.ts'
export type { BrokerEvent } from './broker-event.ts'
export { knativeDefinitions } from './definitions/definitions.ts'
export { type BrokeredEvent, readMessage, writeMessage } from './http-binding.ts'
export { ingressStatus } from './ingress.ts'

// Knative's rules for Triggers and delivery specs, for callers that check a real cluster.

export { attributesFilterSchema, createFilter, type Filter, filterExpressionSchema } from './filter.ts'
export {
  loadManifests,
  type Manifests,
  ofFunctions,
  withManifests,
} from './manifests.ts'
export { type BrokerName, profileNames } from './profile.ts'

// For the suites of other rooms.

export { brokerKindOf } from './broker-kind.ts'
export { serveIngress } from './ingress.ts'
export { ManifestError, parseManifests } from './manifests.ts'
export { asyncHandler, mostInFlight, retryDelay } from './profile.ts'
export { routesOf, type TriggerRoute } from './routes.ts'
