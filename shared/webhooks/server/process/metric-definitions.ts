import { definitionsOf, type MetricDefinition } from '../../../runtime/runtime.ts'
import { reviewMetrics } from '../serve/review-metrics.ts'
import { maintenanceMetrics } from './maintenance-metrics.ts'

/** Returns every metric of the webhook process, without the default process metrics of prom-client. */
export const webhookMetricDefinitions = (): readonly MetricDefinition[] =>
  definitionsOf(metrics => {
    reviewMetrics(metrics)
    maintenanceMetrics(metrics)
  })
