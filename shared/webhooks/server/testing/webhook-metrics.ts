/** The metrics of the webhook process, for suites that cause the faults behind alerts. */
export { maintenanceMetrics } from '../process/maintenance-metrics.ts'
export { reviewMetrics } from '../serve/review-metrics.ts'
