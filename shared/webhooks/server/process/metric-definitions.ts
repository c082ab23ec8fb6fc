import { definitionsOf, type MetricDefinition } from '../../../runtime/runtime.ts'
import { reviewMetrics } from '../serve/review-metrics.ts'
import { upkeepMetrics } from './upkeep-metrics.ts'

/** Every metric of the process of webhooks, beside those that prom-client has of any process. */
export const webhookMetricDefinitions = (): readonly MetricDefinition[] =>
  definitionsOf(metrics => {
    reviewMetrics(metrics)
    upkeepMetrics(metrics)
  })
