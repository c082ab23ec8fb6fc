/** The parts of a process: settings, metrics, probes, termination, and the host that serves a function over HTTP. */

// For every process.

export { createMetrics, type Metrics } from './metrics.ts'
export { parseFlags } from './parse-flags.ts'
export { serveProbes } from './probes.ts'
export {
  describeSettings,
  envName,
  flagName,
  parseSettings,
  printableSettings,
  SettingsError,
  splitList,
} from './settings.ts'
export { startUnoptimized } from './start-unoptimized.ts'
export { closeOnTermination } from './termination.ts'

// For metrics that functions report, because a function may end before it is scraped.

export { takeOutOfMemory } from './reports/fatal-report.ts'
export { functionMetricDefinitions } from './reports/function-metrics.ts'
export {
  type MetricsReport,
  parseReport,
  reportAudience,
  reportLimitBytes,
  reportPath,
  reportTokenFolder,
} from './reports/report.ts'
export {
  createReportedMetrics,
  createSeriesCache,
  definitionsOf,
  type MetricDefinition,
  type Series,
  type SeriesCache,
  type SeriesLimits,
  seriesText,
} from './reports/reported-metrics.ts'
export { createReporter } from './reports/reporter.ts'
export { httpReports, reportToken } from './reports/send-report.ts'

// For the process of a function.

export { answerEvents, eventMetrics, type FunctionPaths, readBody } from './answer-events.ts'
export {
  type AttributeChange,
  type CloudChange,
  type CloudRequest,
  type FunctionDefinition,
  type FunctionDeps,
  type FunctionPermission,
  type FunctionPlan,
  isFunctionDefinition,
  type PlanContext,
} from './definition/definition.ts'
export {
  DefinitionError,
  type DefinitionProblem,
  formatDefinitionProblem,
  formatPlace,
  isDefinitionError,
  type SourcePlace,
} from './definition/definition-error.ts'
export { type FunctionLogs, logFormats } from './definition/function-logs.ts'
export type { FunctionRegistration } from './definition/function-registration.ts'
export {
  defaultConcurrency,
  type FunctionService,
  functionService,
  type Reachable,
} from './definition/function-service.ts'
export { serveFunctions } from './host.ts'
export { type HostSettings, hostSettings } from './host-settings.ts'
export { processSettings, processSettingsOf } from './process-settings.ts'
export type { OnStep } from './steps/record-steps.ts'
export { type EventHandler, eventHandler, type FunctionPorts, handlerOf } from './wire-function.ts'

// For the suites of other rooms.

export { startFailure } from './wire-function.ts'
