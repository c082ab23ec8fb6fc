import { type RuleScope, selector } from '../rules/alert.ts'
import type { Dashboard } from './dashboard.ts'
import { quantiles } from './quantiles.ts'

export const functionsDashboard = (scope: RuleScope): Dashboard => {
  const ours = selector(scope)
  const rate = (metric: string, by: string, matchers = '') =>
    `sum by (${by}) (rate(${ours(metric, matchers)}[5m]))`
  return {
    uid: 'trellis-functions',
    title: 'Trellis / Functions',
    rows: [
      {
        title: 'Work',
        panels: [
          {
            title: 'Steps',
            description: 'As seen by functions, by program.',
            unit: 'ops',
            stacked: true,
            queries: [
              {
                expr: rate('trellis_function_steps_total', 'program, outcome'),
                legend: '{{program}} {{outcome}}',
              },
            ],
          },
          {
            title: 'Answers',
            description:
              'Answers to events. Full: no free place; foreign: not for this function; ignored: of another type, from a broker without `filters`; unrecorded: the outcome could not be written.',
            unit: 'ops',
            queries: [
              {
                expr: rate('trellis_function_answers_total', 'program, outcome'),
                legend: '{{program}} {{outcome}}',
              },
            ],
          },
          {
            title: 'Starts',
            description: 'Processes that started to serve. Each was a cold start for one event.',
            unit: 'ops',
            queries: [{ expr: rate('trellis_function_starts_total', 'program'), legend: '{{program}}' }],
          },
        ],
      },
      {
        title: 'Clouds and API servers',
        panels: [
          {
            title: 'Requests to clouds',
            description: 'Each attempt of a call, by status.',
            unit: 'reqps',
            queries: [
              {
                expr: `sum by (cloud_service, status) (${ours('trellis:cloud_requests:rate5m')})`,
                legend: '{{cloud_service}} {{status}}',
              },
            ],
          },
          {
            title: 'Throttled',
            description: 'Throttled by the cloud.',
            unit: 'reqps',
            queries: [
              {
                expr: `sum by (program, cloud_service) (${ours('trellis:cloud_throttled:rate5m')})`,
                legend: '{{program}} {{cloud_service}}',
              },
            ],
          },
          {
            title: 'Requests to the API server',
            description: 'By status. Some 409 are normal; 403 is a missing permission.',
            unit: 'reqps',
            queries: [
              { expr: rate('trellis_function_kubernetes_requests_total', 'status'), legend: '{{status}}' },
            ],
          },
          {
            title: 'Time of requests to clouds',
            description: 'One try.',
            unit: 's',
            queries: quantiles(
              `rate(${ours('trellis_function_cloud_request_seconds_bucket')}[5m])`,
              'cloud_service',
            ),
          },
          {
            title: 'Cold starts',
            description: 'Time from the start of a process until it serves.',
            unit: 's',
            queries: quantiles(`rate(${ours('trellis_function_start_seconds_bucket')}[15m])`, 'program'),
          },
          {
            title: 'Time of events',
            description: 'From the parsed event to its outcome.',
            unit: 's',
            queries: quantiles(`rate(${ours('trellis_function_event_seconds_bucket')}[5m])`, 'program'),
          },
        ],
      },
      {
        title: 'Resources',
        panels: [
          {
            title: 'Memory at reports',
            description: 'Resident memory of processes at each of their reports.',
            unit: 'bytes',
            queries: quantiles(
              `rate(${ours('trellis_function_resident_bytes_bucket')}[15m])`,
              'program',
              [0.5, 0.95],
            ),
          },
          {
            title: 'Processor time',
            description: 'Sum over all processes of a program.',
            unit: 'short',
            queries: [{ expr: rate('trellis_function_cpu_seconds_total', 'program'), legend: '{{program}}' }],
          },
          {
            title: 'Busy event loops',
            description: 'Sum over all processes: 1 is one process that is always busy.',
            unit: 'short',
            queries: [
              {
                expr: rate('trellis_function_event_loop_busy_seconds_total', 'program'),
                legend: '{{program}}',
              },
            ],
          },
        ],
      },
    ],
  }
}
