import { type RuleScope, selector } from '../rules/alert.ts'
import type { Dashboard } from './dashboard.ts'
import { quantiles } from './quantiles.ts'

export const webhooksDashboard = (scope: RuleScope): Dashboard => {
  const ours = selector(scope)
  return {
    uid: 'trellis-webhooks',
    title: 'Trellis / Webhooks',
    rows: [
      {
        title: 'Reviews',
        panels: [
          {
            title: 'By outcome',
            description: 'Failed: an API server got no usable answer.',
            unit: 'reqps',
            stacked: true,
            queries: [
              {
                expr: `sum by (outcome) (rate(${ours('trellis_webhook_reviews_total')}[5m]))`,
                legend: '{{outcome}}',
              },
            ],
          },
          {
            title: 'Time of a review',
            description: 'The client that writes the object waits for it.',
            unit: 's',
            queries: quantiles(`rate(${ours('trellis_webhook_review_seconds_bucket')}[5m])`, 'webhook'),
          },
          {
            title: 'Time until certificates expire',
            description: 'They are renewed long before they expire.',
            unit: 's',
            queries: [
              {
                expr: `min by (component) (${ours('trellis_webhook_certificate_expiry_seconds')}) - time()`,
                legend: '{{component}}',
              },
            ],
          },
        ],
      },
    ],
  }
}
