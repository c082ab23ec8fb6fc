import { type RuleScope, selector } from '../rules/alert.ts'
import type { Dashboard } from './dashboard.ts'
import { quantiles } from './quantiles.ts'

/** Deliveries, waiting objects, and the process. */
export const bridgeDashboard = (scope: RuleScope): Dashboard => {
  const ours = selector(scope)
  const rate = (metric: string, by: string, matchers = '') =>
    `sum by (${by}) (rate(${ours(metric, matchers)}[5m]))`
  /** Uses the values of the leader. Standby bridges report some of them, too. */
  const ofLeaders = (metric: string) =>
    `${ours(metric)} * on (pod) group_left () ${ours('trellis_bridge_leader')}`
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
              'Sent, arrived, refused by the Broker, sent again because the object was not claimed.',
            unit: 'ops',
            queries: (['emitted', 'accepted', 'retried', 'repeated'] as const).map(what => ({
              expr: `sum(rate(${ours(`trellis_bridge_${what}_total`)}[5m]))`,
              legend: what,
            })),
          },
          {
            title: 'Time from need to arrival',
            description: 'Time from detecting the need for an event to its arrival.',
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
        title: 'Waiting objects',
        panels: [
          {
            title: 'Queue',
            description: 'Objects that wait to be sent, and objects being sent.',
            unit: 'short',
            queries: [
              {
                expr: `sum by (kind) (${ofLeaders('trellis_bridge_queue_depth')})`,
                legend: '{{kind}} waits',
              },
              { expr: `sum by (kind) (${ours('trellis_bridge_in_flight')})`, legend: '{{kind}} in flight' },
            ],
          },
          {
            title: 'Held, parked, unclaimed',
            description:
              'Objects that wait for their shoot, whose event the Broker refused, and that no function claims.',
            unit: 'short',
            queries: (['held', 'parked', 'unclaimed'] as const).map(what => ({
              expr: `sum(${ofLeaders(`trellis_bridge_${what}`)})`,
              legend: what,
            })),
          },
          {
            title: 'Health checks',
            description: 'Events that order a health check, by answer of the Broker.',
            unit: 'ops',
            queries: [{ expr: rate('trellis_bridge_health_checks_total', 'outcome'), legend: '{{outcome}}' }],
          },
          {
            ...{ title: 'Paused', unit: 'short', description: 'Objects with work that a person has paused.' },
            queries: [{ expr: `sum by (kind) (${ofLeaders('trellis_bridge_paused')})`, legend: '{{kind}}' }],
          },
          {
            ...{ title: 'Observations', unit: 'ops', description: 'Events for secondary functions.' },
            queries: [
              { expr: rate('trellis_bridge_observations_total', 'function'), legend: '{{function}}' },
            ],
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
            title: 'Watched objects',
            description: 'By kind.',
            unit: 'short',
            stacked: true,
            queries: [
              { expr: `sum by (kind) (${ofLeaders('trellis_bridge_watched_objects')})`, legend: '{{kind}}' },
            ],
          },
          {
            title: 'Restarted watches',
            description: 'By resource and reason. Closed and idle are normal; failed is not.',
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
