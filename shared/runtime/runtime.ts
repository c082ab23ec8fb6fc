/** A process: its settings, its metrics and probes, how it ends, and the host that serves a function over HTTP. */

// Of every process.

export { createMetrics, type Metrics } from './metrics.ts'
export { parseFlags } from './parse-flags.ts'
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
export { startUnoptimized } from './start-unoptimized.ts'
export { closeOnTermination } from './termination.ts'

// Of metrics that functions report, because they may be gone before anybody scrapes them.

export { takeOutOfMemory } from './reports/fatal-report.ts'
export { functionMetricDefinitions } from './reports/function-metrics.ts'
export {
  createKeptSeries,
  type KeptSeries,
  type MetricDefinition,
  type Series,
} from './reports/kept-series.ts'
export { type MetricsReport, parseReport, reportLimitBytes, reportPath } from './reports/report.ts'
export { createReportedMetrics, definitionsOf } from './reports/reported-metrics.ts'
export { createReporter } from './reports/reporter.ts'
export { httpReports } from './reports/send-report.ts'
export { seriesText } from './reports/series-text.ts'

// Of a function's.

export { readBody } from './answer-events.ts'
export {
  type FunctionDefinition,
  type FunctionDeps,
  type FunctionPermission,
  isFunctionDefinition,
} from './definition/definition.ts'
export {
  DefinitionError,
  type DefinitionProblem,
  formatDefinitionProblem,
  formatPlace,
  isDefinitionError,
  type SourcePlace,
} from './definition/definition-error.ts'
export type { FunctionRegistration } from './definition/function-registration.ts'
export { type FunctionService, functionService, type Reachable } from './definition/function-service.ts'
export { type EventHandler, eventHandler, type FunctionPorts } from './event-handler.ts'
export { handlerOf } from './handler-of.ts'
export { serveFunction, serveFunctions } from './host.ts'
export { type HostSettings, hostSettings } from './host-settings.ts'
export { processSettings, processSettingsOf } from './process-settings.ts'

// For the suites of other rooms, and benchmarks.

export { startFailure } from './wire-function.ts'
