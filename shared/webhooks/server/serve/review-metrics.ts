import type { Metrics } from '../../../runtime/runtime.ts'

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
