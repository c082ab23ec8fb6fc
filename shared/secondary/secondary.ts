/**
 * Secondary functions (docs/secondary.md): they follow the objects of a primary controller, write conditions of their
 * own types and own objects, and never a field of the primary.
 */

// For authors.

export type {
  SecondaryActuator,
  SecondaryContext,
  SecondaryDefinition,
  SecondaryKubernetes,
  SecondaryResult,
} from './secondary-actuator.ts'

// Runs in the process of a secondary function.

export type { ObservationDeps } from './run-observation.ts'

// For definitions, manifests and the bridge.

export { type DueObservation, dueObservation, type ObservationReason } from './due-observation.ts'
export { observationEvent, observationId } from './observation-event.ts'
export { ownPermissions } from './secondary-permissions.ts'
export { markOf, recordIn } from './secondary-record.ts'
export { parseRoute, routedTypes, routeOf, type SecondaryRoute } from './secondary-route.ts'
