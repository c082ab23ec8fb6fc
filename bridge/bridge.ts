/**
 * The watching process of a seed: watch, queue, CloudEvent. `startBridge` runs a complete bridge with its connections,
 * probes and leadership; `createBridge` is its core, with a port to the API server and one to the sink.
 */

export { leaseOf, leases } from '../shared/leadership/lease.ts'
export type { BridgeEvent } from './bridge-event.ts'
export { createBridge } from './create-bridge.ts'
export type { ServedTypes } from './delivery/served.ts'
export { extensionEntry, formatExtension } from './heartbeat/extension-settings.ts'
export { isWorthTelling, type Unclaimed, unclaimedMessage } from './notices/unclaimed-message.ts'
export { neededSince } from './objects/needed-since.ts'
export { formatServedObjects } from './objects/served-objects.ts'
export { bridgeProcess } from './process/bridge-process.ts'
export { bridgeExample, settingHelp } from './process/help.ts'
export { bridgeMetricDefinitions, reportedMetricDefinitions } from './process/metric-definitions.ts'
export { bridgeSettings, leaseNameOf } from './process/settings.ts'
export { type RunningBridge, startBridge } from './process/start.ts'

// For the suites of other rooms and for benchmarks.

export { createHeartbeat } from './heartbeat/heartbeat.ts'
export { createEventRecorder, eventResource } from './notices/event-recorder.ts'
