/** What the process of webhooks counts, for suites that cause what alerts are about. */
export { upkeepMetrics } from '../process/upkeep-metrics.ts'
export { reviewMetrics } from '../serve/review-metrics.ts'
