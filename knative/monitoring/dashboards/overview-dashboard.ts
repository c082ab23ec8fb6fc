import { type RuleScope, selector } from '../rules/alert.ts'
import type { Dashboard, Panel } from './dashboard.ts'
import { quantiles } from './quantiles.ts'

export const overviewDashboard = (scope: RuleScope): Dashboard => {
  const ours = selector(scope)
  const numbers = (
    title: string,
    description: string,
    expr: string,
    unit: Panel['unit'] = 'short',
  ): Panel => ({ ...{ title, description, unit, asNumbers: true }, queries: [{ expr, legend: '' }] })
  return {
    uid: 'trellis-overview',
    title: 'Trellis / Overview',
    rows: [
      {
        title: 'Now',
        panels: [
          numbers(
            'Open requests',
            'Requested, but not succeeded yet.',
            `sum(max by (kind) (${ours('trellis_object_open_requests')}))`,
          ),
          numbers(
            'Failing',
            'Unfinished objects whose last step failed.',
            `sum(max by (kind) (${ours('trellis_object_failing')}))`,
          ),
          numbers(
            'Oldest request',
            'Longest time that a request is unfinished.',
            `max(${ours('trellis_object_oldest_request_seconds')})`,
            's',
          ),
        ],
      },
      {
        title: 'Results of steps',
        panels: [
          {
            title: 'Steps by outcome',
            description:
              'Steps per second. Continues is normal: the step ends and another step continues later.',
            unit: 'ops',
            stacked: true,
            queries: [
              { expr: `sum by (outcome) (${ours('trellis:object_steps:rate5m')})`, legend: '{{outcome}}' },
            ],
          },
          {
            title: 'Steps by kind and provider',
            description: 'Steps per second.',
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
            description: 'Failed steps per second. A code says who has to act; none: unknown.',
            unit: 'ops',
            stacked: true,
            queries: [
              { expr: `sum by (code) (${ours('trellis:object_errors:rate5m')})`, legend: '{{code}}' },
            ],
          },
        ],
      },
      {
        title: 'Duration',
        panels: [
          {
            title: 'From request to success',
            description: 'Over all steps, as the watch sees it.',
            unit: 's',
            queries: quantiles(ours('trellis:object_ready_seconds_bucket:rate5m'), 'kind'),
          },
          {
            title: 'One step',
            description: 'From its claim to its end. A step ends after at most 60 s.',
            unit: 's',
            queries: quantiles(ours('trellis:object_step_seconds_bucket:rate5m'), 'kind'),
          },
          {
            title: 'Open requests',
            description: 'Requested, but not succeeded yet, by kind.',
            unit: 'short',
            queries: [
              {
                expr: `sum by (kind) (max by (kind) (${ours('trellis_object_open_requests')}))`,
                legend: '{{kind}}',
              },
            ],
          },
        ],
      },
    ],
  }
}
