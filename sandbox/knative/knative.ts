/** A broker that reads the manifests of the cluster. */

export { type BrokerOptions, createBroker, type SandboxBroker } from './broker.ts'
export type { BrokerEvent } from './broker-event.ts'
export { knativeDefinitions } from './definitions/definitions.ts'

// How Knative reads Triggers and delivery specs, for those who check a real one.

export { parseDuration } from './duration.ts'
export { attributesFilterSchema, createFilter, type Filter, filterExpressionSchema } from './filter.ts'
export {
  loadManifests,
  type ManifestFile,
  type Manifests,
  ofFunctions,
  withManifests,
} from './manifests.ts'

// For the suites of other rooms, and benchmarks.

export { ManifestError, parseManifests } from './manifests.ts'
export { asyncHandler } from './profile.ts'
export { routesOf, type TriggerRoute } from './routes.ts'
