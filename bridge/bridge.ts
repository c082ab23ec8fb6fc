/**
 * The watching process of a seed: watch, queue, CloudEvent. `startBridge` runs a complete bridge with its connections,
 * probes and leadership; `createBridge` is its core, with a port to the API server and one to the sink.
 */

export { leaseOf, leases } from '../shared/leadership/lease.ts'
export {
  type Decision,
  decide,
  defaultUnclaimedMs,
  type HoldReason,
  holdOf,
  isShootFailed,
  type LostEvent,
  type LostResult,
  neededSince,
  type Sent,
  type ServedObjects,
  type ServedTypes,
} from './core/core.ts'
export { type Bridge, createBridge } from './create-bridge.ts'
export type { BridgeEvent, BridgeObserver } from './observers/bridge-event.ts'
export type { DeliveryPath } from './observers/delivery-path.ts'
export { knativeResources } from './observers/knative-path/knative-path.ts'
export { isWorthReporting, type Unclaimed, unclaimedMessage } from './observers/unclaimed-message.ts'
export { bridgeProcess } from './process/bridge-process.ts'
export { type BridgeSelects, bridgeSelects } from './process/bridge-selects.ts'
export { extensionEntry, formatExtension, parseExtensions } from './process/extension-settings.ts'
export { bridgeExample } from './process/help.ts'
export { bridgeMetricDefinitions, reportedMetricDefinitions } from './process/metric-definitions.ts'
export { formatServedObjects } from './process/served-objects.ts'
export { bridgeSettings } from './process/settings.ts'
export { type RunningBridge, startBridge } from './process/start.ts'
export { readDeadLetter } from './undelivered/read-dead-letter.ts'
export { undeliveredPath } from './undelivered/undelivered-endpoint.ts'

// For the suites of other rooms.

export { createHeartbeat } from './observers/heartbeat/heartbeat.ts'
export { createEventRecorder } from './observers/notices/event-recorder.ts'
