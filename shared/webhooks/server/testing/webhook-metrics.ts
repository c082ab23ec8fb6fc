/** The metrics of the webhook process, for suites that cause the faults behind alerts. */
export { maintenanceMetrics, reviewMetrics } from '../process/metrics.ts'
