/** What a function counts, for suites that cause what alerts are about. */
export { eventMetrics } from '../answer-events.ts'
export { processMetrics, requestMetrics } from '../reports/function-metrics.ts'
