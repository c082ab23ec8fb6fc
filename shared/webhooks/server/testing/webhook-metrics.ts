/** The metrics of the webhook process, for suites that cause the faults behind alerts. */
export { upkeepMetrics } from '../process/upkeep-metrics.ts'
export { reviewMetrics } from '../serve/review-metrics.ts'
