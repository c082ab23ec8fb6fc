/** A process: its settings, its metrics and probes, how it ends, and the host that serves a function over HTTP. */

export { readBody } from './answer-events.ts'
export { endWithOutput } from './end-with-output.ts'
export { serveFunction } from './host.ts'
export { type HostSettings, hostSettings } from './host-settings.ts'
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
