/** The metrics of a function, for suites that trigger alerts. */
export { eventMetrics } from '../answer-events.ts'
export { processMetrics, requestMetrics } from '../reports/function-metrics.ts'
