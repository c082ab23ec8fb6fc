/** A process: its settings, its metrics and probes, how it ends, and the host that serves a function over HTTP. */

// Of every process.

export { endWithOutput } from './end-with-output.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { serveProbes } from './probes.ts'
export {
  describeSettings,
  editDistance,
  envName,
  flagName,
  parseSettings,
  printableSettings,
  SettingsError,
  splitList,
} from './settings.ts'

// Of a function's.

export { readBody } from './answer-events.ts'
export { serveFunction } from './host.ts'
export { type HostSettings, hostSettings } from './host-settings.ts'
