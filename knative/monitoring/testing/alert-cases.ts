/** A series in promtool's syntax (`0+1x30`: from 0, one more each minute, thirty times). */
export interface AlertSeries {
  readonly series: string
  readonly values: string
}

/** Series for which an alert fires, and similar ones for which it does not. */
export interface AlertCase {
  readonly alert: string
  readonly firing: readonly AlertSeries[]
  readonly quiet: readonly AlertSeries[]
  /** The time of the evaluation: `15m`. */
  readonly at: string
}

const ns = 'namespace="trellis"'
const one = (metric: string, labels: string, values: string): AlertSeries => ({
  series: `${metric}{${ns}${labels === '' ? '' : `,${labels}`}}`,
  values,
})
const object = 'kind="Worker",provider="aws"'
const steps = (outcome: string, values: string, pod = 'a') =>
  one(
    'trellis_object_steps_total',
    `${object},operation="reconcile",outcome="${outcome}",pod="${pod}"`,
    values,
  )
const program = 'program="aws-infrastructure"'
const buckets = (metric: string, labels: string, by: readonly (readonly [string, string])[]) =>
  by.map(([le, values]) => one(`${metric}_bucket`, `${labels},le="${le}"`, values))

export const alertCases: readonly AlertCase[] = [
  {
    alert: 'TrellisBridgeDown',
    // The target disappears. The loss of one of two does not count.
    firing: [
      { series: 'trellis_bridge_ready{namespace="another"}', values: '1+0x20' },
      one('trellis_bridge_ready', 'pod="a"', '1+0x3 stale'),
    ],
    quiet: [
      one('trellis_bridge_ready', 'pod="a"', '1+0x3 stale'),
      one('trellis_bridge_ready', 'pod="b"', '1+0x20'),
    ],
    at: '12m',
  },
  {
    alert: 'TrellisBridgeNotReady',
    firing: [
      one('trellis_bridge_ready', 'pod="a"', '0+0x20'),
      one('trellis_bridge_ready', 'pod="b"', '0+0x20'),
    ],
    quiet: [
      one('trellis_bridge_ready', 'pod="a"', '0+0x20'),
      one('trellis_bridge_ready', 'pod="b"', '1+0x20'),
    ],
    at: '11m',
  },
  {
    alert: 'TrellisBridgeNoLeader',
    firing: [
      one('trellis_bridge_leader', 'pod="a"', '0+0x10'),
      one('trellis_bridge_leader', 'pod="b"', '0+0x10'),
    ],
    quiet: [
      one('trellis_bridge_leader', 'pod="a"', '0+0x10'),
      one('trellis_bridge_leader', 'pod="b"', '1+0x10'),
    ],
    at: '5m',
  },
  {
    alert: 'TrellisSinkDown',
    // The second bridge takes over from the first. It has never reached the Broker.
    firing: [
      one('trellis_bridge_retried_total', 'kind="Worker",pod="a"', '0+5x4 stale'),
      one('trellis_bridge_accepted_total', 'kind="Worker",pod="a"', '7+0x4 stale'),
      one('trellis_bridge_retried_total', 'kind="Worker",pod="b"', '_x5 1+5x20'),
    ],
    quiet: [
      one('trellis_bridge_retried_total', 'kind="Worker"', '0+5x20'),
      one('trellis_bridge_accepted_total', 'kind="Worker"', '7+1x20'),
    ],
    at: '15m',
  },
  {
    alert: 'TrellisEventsRefused',
    firing: [one('trellis_bridge_parked', 'kind="Worker"', '1+0x30')],
    quiet: [one('trellis_bridge_parked', 'kind="Worker"', '1 1 1 0+0x30')],
    at: '16m',
  },
  {
    alert: 'TrellisEventsUnclaimed',
    firing: [one('trellis_bridge_unclaimed', 'kind="Worker"', '1+0x30')],
    quiet: [one('trellis_bridge_unclaimed', 'kind="Worker"', '1 1 1 0+0x30')],
    at: '16m',
  },
  {
    alert: 'TrellisEventsLate',
    firing: [one('trellis_bridge_oldest_waiting_seconds', 'kind="Worker"', '0+60x30')],
    quiet: [one('trellis_bridge_oldest_waiting_seconds', 'kind="Worker"', '300+0x30')],
    at: '20m',
  },
  {
    alert: 'TrellisWatchesFail',
    firing: [one('trellis_bridge_watch_restarts_total', 'resource="workers",reason="failed"', '0+6x40')],
    quiet: [
      one('trellis_bridge_watch_restarts_total', 'resource="workers",reason="closed"', '0+6x40'),
      one('trellis_bridge_watch_restarts_total', 'resource="workers",reason="failed"', '0 3+0x40'),
    ],
    at: '30m',
  },
  {
    alert: 'TrellisHeartbeatLate',
    firing: [
      one('trellis_bridge_heartbeats_total', 'extension="provider-aws",pod="a"', '9+0x20'),
      one('trellis_bridge_heartbeat_expected', 'extension="provider-aws",pod="a"', '1+0x20'),
      one('trellis_bridge_heartbeats_total', 'extension="provider-aws",pod="b"', '0+0x20'),
      one('trellis_bridge_heartbeat_expected', 'extension="provider-aws",pod="b"', '0+0x20'),
    ],
    quiet: [
      one('trellis_bridge_heartbeats_total', 'extension="provider-aws",pod="a"', '9+0x20'),
      one('trellis_bridge_heartbeat_expected', 'extension="provider-aws",pod="a"', '0+0x20'),
      one('trellis_bridge_heartbeats_total', 'extension="provider-aws",pod="b"', '0+2x20'),
      one('trellis_bridge_heartbeat_expected', 'extension="provider-aws",pod="b"', '1+0x20'),
      // An extension without a namespace.
      one('trellis_bridge_heartbeats_total', 'extension="provider-local",pod="b"', '0+0x20'),
      one('trellis_bridge_heartbeat_expected', 'extension="provider-local",pod="b"', '0+0x20'),
    ],
    at: '15m',
  },
  {
    alert: 'TrellisProcessDies',
    // The container restarts in its pod. A new release creates new pods.
    firing: [one('process_start_time_seconds', 'container="bridge",pod="a"', '100+0x4 400+0x30')],
    quiet: [
      one('process_start_time_seconds', 'container="bridge",pod="a"', '100+0x4 stale'),
      one('process_start_time_seconds', 'container="bridge",pod="b"', '_x4 400+0x30'),
      one('process_start_time_seconds', 'container="webhook",pod="c"', '100+0x34'),
      one('process_start_time_seconds', 'container="function",pod="d"', '100+0x4 400+0x30'),
    ],
    at: '10m',
  },
  {
    alert: 'TrellisBridgeBusy',
    firing: [one('nodejs_eventloop_lag_p99_seconds', 'container="bridge"', '0.7+0x30')],
    quiet: [
      one('nodejs_eventloop_lag_p99_seconds', 'container="bridge"', '0.05+0x30'),
      one('nodejs_eventloop_lag_p99_seconds', 'container="webhook"', '0.7+0x30'),
    ],
    at: '20m',
  },
  {
    alert: 'TrellisRequestTooOld',
    firing: [one('trellis_object_oldest_request_seconds', 'kind="Worker"', '3000+60x60')],
    quiet: [one('trellis_object_oldest_request_seconds', 'kind="Worker"', '0+60x60')],
    at: '30m',
  },
  {
    alert: 'TrellisStepsFail',
    firing: [steps('failed', '0+1x60'), steps('succeeded', '0x60'), steps('continues', '0+9x60')],
    // Two bridges count the same, and the failures would suffice only if they were added up.
    quiet: [steps('failed', '0+1x60'), steps('failed', '0+1x60', 'b'), steps('succeeded', '0+1.5x60')],
    at: '50m',
  },
  {
    alert: 'TrellisErrorWithoutCode',
    firing: [one('trellis_object_errors_total', `${object},code="none"`, '0+1x60')],
    quiet: [
      one('trellis_object_errors_total', `${object},code="ERR_INFRA_UNAUTHORIZED"`, '0+1x60'),
      one('trellis_object_errors_total', `${object},code="none"`, '0 3+0x60'),
    ],
    at: '50m',
  },
  {
    alert: 'TrellisStepsExpire',
    firing: [steps('expired', '0+1x60')],
    quiet: [steps('expired', '0x30 1+0x30'), steps('failed', '0+1x60')],
    at: '40m',
  },
  {
    alert: 'TrellisStepsSlow',
    firing: buckets('trellis_object_step_seconds', 'kind="Worker",operation="reconcile"', [
      ['30', '0x60'],
      ['60', '0+5x60'],
      ['+Inf', '0+5x60'],
    ]),
    quiet: buckets('trellis_object_step_seconds', 'kind="Worker",operation="reconcile"', [
      ['30', '0+5x60'],
      ['60', '0+5x60'],
      ['+Inf', '0+5x60'],
    ]),
    at: '50m',
  },
  {
    alert: 'TrellisFunctionOutOfMemory',
    firing: [one('container_oom_events_total', 'container="function",pod="aws-worker-1"', '0x5 1+0x30')],
    quiet: [
      one('trellis_function_out_of_memory_total', 'program="aws-worker",pod="bridge-1"', '2+0x40'),
      one('container_oom_events_total', 'container="function",pod="aws-worker-1"', '0x40'),
      one('container_oom_events_total', 'container="queue-proxy",pod="aws-worker-1"', '0x5 1+0x30'),
    ],
    // A counter from more than 15 minutes ago is not a new death.
    at: '18m',
  },
  {
    alert: 'TrellisProgramDoesNotStart',
    firing: [
      one('trellis_runner_starts_total', 'program="aws-compact",outcome="failed"', '1+1x20'),
      one('trellis_runner_starts_total', 'program="aws-compact",outcome="awake"', '3+0x20'),
    ],
    quiet: [
      one('trellis_runner_starts_total', 'program="aws-compact",outcome="failed"', '1+1x20'),
      one('trellis_runner_starts_total', 'program="aws-compact",outcome="awake"', '1+1x20'),
    ],
    at: '12m',
  },
  {
    alert: 'TrellisFunctionFull',
    firing: [one('trellis_function_answers_total', `${program},outcome="full"`, '0+1x60')],
    quiet: [one('trellis_function_answers_total', `${program},outcome="recorded"`, '0+1x60')],
    at: '30m',
  },
  {
    alert: 'TrellisCloudThrottles',
    // Two services at once: the labels of the alert must not merge them.
    firing: [
      one('trellis_function_cloud_throttled_total', `${program},cloud_service="iam"`, '0+2x90'),
      one(
        'trellis_function_cloud_requests_total',
        `${program},cloud_service="iam",operation="GetRole",status="400"`,
        '0+2x90',
      ),
      one('trellis_function_cloud_throttled_total', `${program},cloud_service="ec2"`, '0+2x90'),
      one(
        'trellis_function_cloud_requests_total',
        `${program},cloud_service="ec2",operation="DescribeVpcs",status="200"`,
        '0+8x90',
      ),
    ],
    quiet: [
      one('trellis_function_cloud_throttled_total', `${program},cloud_service="ec2"`, '0+2x90'),
      one(
        'trellis_function_cloud_requests_total',
        `${program},cloud_service="ec2",operation="DescribeVpcs",status="200"`,
        '0+80x90',
      ),
    ],
    at: '60m',
  },
  {
    alert: 'TrellisFunctionForbidden',
    firing: [
      one('trellis_function_kubernetes_requests_total', `${program},method="GET",status="403"`, '0+1x30'),
    ],
    quiet: [
      one('trellis_function_kubernetes_requests_total', `${program},method="GET",status="404"`, '0+1x30'),
    ],
    at: '20m',
  },
  {
    alert: 'TrellisReportsMissing',
    firing: [steps('succeeded', '0+1x90'), one('trellis_bridge_reports_total', 'outcome="taken"', '5+0x90')],
    quiet: [steps('succeeded', '0+1x90'), one('trellis_bridge_reports_total', 'outcome="taken"', '0+1x90')],
    at: '80m',
  },
  {
    alert: 'TrellisReportsCurtailed',
    firing: [one('trellis_bridge_reports_total', 'outcome="curtailed"', '0+1x60')],
    quiet: [one('trellis_bridge_reports_total', 'outcome="taken"', '0+1x60')],
    at: '40m',
  },
  {
    alert: 'TrellisWebhookDown',
    firing: [],
    quiet: [one('trellis_webhook_certificate_expiry_seconds', 'component="trellis"', '9e9+0x10')],
    at: '6m',
  },
  {
    alert: 'TrellisWebhookFails',
    firing: [
      one('trellis_webhook_reviews_total', 'webhook="a",outcome="failed"', '0+1x40'),
      one('trellis_webhook_reviews_total', 'webhook="a",outcome="changed"', '0+10x40'),
    ],
    quiet: [
      one('trellis_webhook_reviews_total', 'webhook="a",outcome="failed"', '0+1x40'),
      one('trellis_webhook_reviews_total', 'webhook="a",outcome="changed"', '0+50x40'),
    ],
    at: '30m',
  },
  {
    alert: 'TrellisWebhookSlow',
    firing: buckets('trellis_webhook_review_seconds', 'webhook="a"', [
      ['1', '0+9x40'],
      ['5', '0+10x40'],
      ['+Inf', '0+10x40'],
    ]),
    quiet: buckets('trellis_webhook_review_seconds', 'webhook="a"', [
      ['1', '0+10x40'],
      ['5', '0+10x40'],
      ['+Inf', '0+10x40'],
    ]),
    at: '30m',
  },
  {
    alert: 'TrellisWebhookCertificateExpires',
    // The clock of promtool starts at 0.
    firing: [one('trellis_webhook_certificate_expiry_seconds', 'component="trellis"', '200000+0x40')],
    quiet: [one('trellis_webhook_certificate_expiry_seconds', 'component="trellis"', '300000+0x40')],
    at: '30m',
  },
  {
    alert: 'TrellisWebhookUpkeepFails',
    firing: [one('trellis_webhook_upkeep_failing', 'component="trellis"', '1+0x40')],
    quiet: [one('trellis_webhook_upkeep_failing', 'component="trellis"', '1 1 1 0+0x40')],
    at: '30m',
  },
]
