import type { Timestamp } from '../../../clock/clock.ts'
import { definitionsOf, type MetricDefinition, type Metrics } from '../../../runtime/runtime.ts'

/** Counts reviews, and measures their duration. */
export const reviewMetrics = (metrics: Metrics) => {
  const answers = metrics.counter('trellis_webhook_reviews_total', 'Reviews, by webhook and outcome.', [
    'webhook',
    'outcome',
  ])
  const seconds = metrics.histogram(
    'trellis_webhook_review_seconds',
    'Time from the received review to its answer, by webhook.',
    ['webhook'],
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  return { answers, seconds }
}

/** Reports the state of the certificates and registrations of webhooks. */
export const maintenanceMetrics = (metrics: Metrics) => {
  const expiry = metrics.gauge(
    'trellis_webhook_certificate_expiry_seconds',
    "Expiry of a component's certificate or of its CA, the earlier one, in seconds since the epoch.",
    ['component'],
  )
  const failing = metrics.gauge(
    'trellis_webhook_upkeep_failing',
    '1 while the certificate or the registration of a component cannot be updated.',
    ['component'],
  )
  return {
    certificate: (component: string, validTo: Timestamp) => expiry(validTo / 1000, { component }),
    failing: (component: string, isFailing: boolean) => failing(isFailing ? 1 : 0, { component }),
  }
}

/** Returns every metric of the webhook process, without the default process metrics of prom-client. */
export const webhookMetricDefinitions = (): readonly MetricDefinition[] =>
  definitionsOf(metrics => {
    reviewMetrics(metrics)
    maintenanceMetrics(metrics)
  })
