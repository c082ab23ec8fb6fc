import { type RuleScope, selector } from '../rules/alert.ts'
import type { Dashboard, Panel } from './dashboard.ts'

/** Dashboards of an installation. */
export const dashboards = (scope: RuleScope): readonly Dashboard[] => [
  overview(scope),
  bridge(scope),
  functions(scope),
  ...(scope.hasWebhooks ? [webhooks(scope)] : []),
]

const quantiles = (rates: string, by: string, of: readonly number[] = [0.5, 0.99]) =>
  of.map(quantile => ({
    expr: `histogram_quantile(${quantile}, sum by (${by}, le) (${rates}))`,
    legend: `{{${by}}} p${quantile * 100}`,
  }))

const overview = (scope: RuleScope): Dashboard => {
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

const bridge = (scope: RuleScope): Dashboard => {
  const ours = selector(scope)
  const rate = (metric: string, by: string, matchers = '') =>
    `sum by (${by}) (rate(${ours(metric, matchers)}[5m]))`
  return {
    uid: 'trellis-bridge',
    title: 'Trellis / Bridge',
    rows: [
      {
        title: 'Delivery',
        panels: [
          {
            title: 'Events',
            description:
              'Sent, arrived, not taken by the Broker, sent again because nobody claimed the object.',
            unit: 'ops',
            queries: (['emitted', 'accepted', 'retried', 'repeated'] as const).map(what => ({
              expr: `sum(rate(${ours(`trellis_bridge_${what}_total`)}[5m]))`,
              legend: what,
            })),
          },
          {
            title: 'From need to arrival',
            description: 'From seeing the need to the arrival of its event.',
            unit: 's',
            queries: quantiles(`rate(${ours('trellis_bridge_lag_seconds_bucket')}[5m])`, 'kind'),
          },
          {
            title: "The Broker's answers",
            description: 'By status; 2xx is accepted.',
            unit: 'reqps',
            stacked: true,
            queries: [{ expr: rate('trellis_bridge_answers_total', 'status'), legend: '{{status}}' }],
          },
        ],
      },
      {
        title: 'What waits',
        panels: [
          {
            title: 'Queue',
            description: 'Objects that wait to be sent, and that are being sent.',
            unit: 'short',
            queries: [
              {
                expr: `sum by (kind) (${ours('trellis_bridge_queue_depth')} * on (pod) group_left () ${ours('trellis_bridge_leader')})`,
                legend: '{{kind}} waits',
              },
              { expr: `sum by (kind) (${ours('trellis_bridge_in_flight')})`, legend: '{{kind}} in flight' },
            ],
          },
          {
            title: 'Held, parked, unclaimed',
            description: 'Wait for their shoot; were refused by the Broker; are claimed by no function.',
            unit: 'short',
            queries: (['held', 'parked', 'unclaimed'] as const).map(what => ({
              expr: `sum(max by (kind) (${ours(`trellis_bridge_${what}`)}))`,
              legend: what,
            })),
          },
          {
            title: 'Checks of health',
            description: 'Events that order a check, by what the Broker said.',
            unit: 'ops',
            queries: [{ expr: rate('trellis_bridge_health_checks_total', 'outcome'), legend: '{{outcome}}' }],
          },
        ],
      },
      {
        title: 'The process',
        panels: [
          {
            title: 'Memory',
            description: 'Resident.',
            unit: 'bytes',
            queries: [
              { expr: ours('process_resident_memory_bytes', 'container="bridge"'), legend: '{{pod}}' },
            ],
          },
          {
            title: 'Objects that it watches',
            description: 'By kind.',
            unit: 'short',
            stacked: true,
            queries: [
              { expr: `max by (kind) (${ours('trellis_bridge_watched_objects')})`, legend: '{{kind}}' },
            ],
          },
          {
            title: 'Watches begun again',
            description: 'By resource and reason. Closed and idle are usual; failed is not.',
            unit: 'ops',
            queries: [
              {
                expr: rate('trellis_bridge_watch_restarts_total', 'resource, reason'),
                legend: '{{resource}} {{reason}}',
              },
            ],
          },
        ],
      },
    ],
  }
}

const functions = (scope: RuleScope): Dashboard => {
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
            description: 'As functions see them, by program.',
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
              'To events. Full: it had no place; foreign: no event for it; unrecorded: nothing could be written down.',
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
            description: 'Processes that have begun to serve. Each was a cold start for somebody.',
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
            description: 'Each try of a call, by status.',
            unit: 'reqps',
            queries: [
              {
                expr: `sum by (service, status) (${ours('trellis:cloud_requests:rate5m')})`,
                legend: '{{service}} {{status}}',
              },
            ],
          },
          {
            title: 'Throttled',
            description: 'Refused because there were too many.',
            unit: 'reqps',
            queries: [
              {
                expr: `sum by (program, service) (${ours('trellis:cloud_throttled:rate5m')})`,
                legend: '{{program}} {{service}}',
              },
            ],
          },
          {
            title: 'Requests to the API server',
            description: 'By status. 409 is usual now and then; 403 is a missing right.',
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
              'service',
            ),
          },
          {
            title: 'Cold starts',
            description: 'From the start of a process until it serves.',
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
        title: 'What they need',
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
            description: 'Of all processes of a program together.',
            unit: 'short',
            queries: [{ expr: rate('trellis_function_cpu_seconds_total', 'program'), legend: '{{program}}' }],
          },
          {
            title: 'Event loops at work',
            description: 'Of all processes together: 1 is one process that takes nothing new all the time.',
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

const webhooks = (scope: RuleScope): Dashboard => {
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
            description: 'Failed: an API server got no answer that it can use.',
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
            description: 'Whoever writes the object waits for it.',
            unit: 's',
            queries: quantiles(`rate(${ours('trellis_webhook_review_seconds_bucket')}[5m])`, 'webhook'),
          },
          {
            title: 'Certificates run out in',
            description: 'They are renewed long before.',
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
