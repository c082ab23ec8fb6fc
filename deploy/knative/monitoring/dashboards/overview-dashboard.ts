import { type RuleScope, selector } from '../rules/alert.ts'
import type { Dashboard, Panel } from './dashboard.ts'
import { quantiles } from './quantiles.ts'

/** The results of requests and their durations. */
export const overviewDashboard = (scope: RuleScope): Dashboard => {
  const ours = selector(scope)
  const numbers = (
    title: string,
    description: string,
    expr: string,
    unit: Panel['unit'] = 'short',
  ): Panel => ({
    ...{ title, description, unit, asNumbers: true },
    queries: [{ expr, legend: '' }],
  })
  return {
    uid: 'trellis-overview',
    title: 'Trellis / Overview',
    rows: [
      {
        title: 'Now',
        panels: [
          numbers(
            'Open requests',
            'Asked for, and not succeeded yet.',
            `sum(max by (shard, kind) (${ours('trellis_object_open_requests')}))`,
          ),
          numbers(
            'Failing',
            'Those of them whose last step failed.',
            `sum(max by (shard, kind) (${ours('trellis_object_failing')}))`,
          ),
          numbers(
            'Oldest request',
            'How long somebody has been waiting.',
            `max(${ours('trellis_object_oldest_request_seconds')})`,
            's',
          ),
        ],
      },
      {
        title: 'What comes of steps',
        panels: [
          {
            title: 'Steps by outcome',
            description:
              'Steps in a second. Continues is good: a step that waits for something ends and comes again.',
            unit: 'ops',
            stacked: true,
            queries: [
              { expr: `sum by (outcome) (${ours('trellis:object_steps:rate5m')})`, legend: '{{outcome}}' },
            ],
          },
          {
            title: 'Steps by kind and provider',
            description: 'Steps in a second.',
            unit: 'ops',
            stacked: true,
            queries: [
              {
                expr: `sum by (kind, provider) (${ours('trellis:object_steps:rate5m')})`,
                legend: '{{kind}} {{provider}}',
              },
            ],
          },
          {
            title: 'Errors by code',
            description: 'Failed steps in a second. A code says whose error it is; none: nobody knows.',
            unit: 'ops',
            stacked: true,
            queries: [
              { expr: `sum by (code) (${ours('trellis:object_errors:rate5m')})`, legend: '{{code}}' },
            ],
          },
        ],
      },
      {
        title: 'How long it takes',
        panels: [
          {
            title: 'From request to success',
            description: 'Over as many steps as it took, as the watch sees it.',
            unit: 's',
            queries: quantiles(ours('trellis:object_ready_seconds_bucket:rate5m'), 'kind'),
          },
          {
            title: 'One step',
            description: 'From its claim to its end. A step ends after 60 s at the latest.',
            unit: 's',
            queries: quantiles(ours('trellis:object_step_seconds_bucket:rate5m'), 'kind'),
          },
          {
            title: 'Open requests',
            description: 'Asked for, and not succeeded yet, by kind.',
            unit: 'short',
            queries: [
              {
                expr: `sum by (kind) (max by (shard, kind) (${ours('trellis_object_open_requests')}))`,
                legend: '{{kind}}',
              },
            ],
          },
        ],
      },
    ],
  }
}
