import { type Alert, type RuleScope, selector } from './alert.ts'

/** Alerts for functions: from their own metrics, and from the node's metrics of their containers. */
export const functionAlerts = (scope: RuleScope): readonly Alert[] => {
  const ours = selector(scope)
  const diedOfMemory = ours('trellis_function_out_of_memory_total')
  const steps = `sum(max by (shard, kind, provider, operation, outcome) (increase(${ours('trellis_object_steps_total')}[30m])))`
  return [
    {
      name: 'TrellisFunctionOutOfMemory',
      severity: 'warning',
      // V8's limit is below the kernel's, so V8 ends most processes (exit code 134). A new counter has no increase yet.
      expr: `sum by (pod) (increase(${ours('container_oom_events_total', 'container="function"')}[15m])) > 0 or sum by (program) (increase(${diedOfMemory}[15m]) > 0 or (${diedOfMemory} > 0 unless ${diedOfMemory} offset 15m)) > 0`,
      for: '1m',
      summary: 'A function ran out of memory: {{ $labels.program }}{{ $labels.pod }}.',
      meaning: 'Another step takes over after 75 s, and may be killed for the same reason.',
      steps: [
        "A program: V8's heap was full (exit code 134, `--max-old-space-size` in `NODE_OPTIONS`). A pod: the kernel killed it at the limit of the container (exit code 137).",
        'How much memory does it need (resident memory in the dashboard of the functions), and with how many concurrent steps?',
        "Increase the limits (the container's `memory` and, in `env`, `NODE_OPTIONS`), or reduce `concurrency`: all are values of the chart.",
      ],
    },
    {
      name: 'TrellisFunctionFull',
      severity: 'warning',
      expr: `sum by (program) (increase(${ours('trellis_function_answers_total', 'outcome="full"')}[10m])) > 0`,
      for: '15m',
      summary: '{{ $labels.program }} refuses events because it is full.',
      meaning: 'They are retried later; everything takes longer.',
      steps: [
        'Has it reached its maximum scale (`kubectl get podautoscaler`)? The comment at `max-scale` gives the reason for the limit.',
        'Are steps slow ([TrellisStepsSlow](#trellisstepsslow))?',
      ],
    },
    {
      name: 'TrellisCloudThrottles',
      severity: 'warning',
      expr: `sum by (program, cloud_service) (rate(${ours('trellis_function_cloud_throttled_total')}[15m])) > 0.1 * sum by (program, cloud_service) (rate(${ours('trellis_function_cloud_requests_total')}[15m]))`,
      for: '30m',
      summary: '{{ $labels.cloud_service }} throttles at least every tenth request of {{ $labels.program }}.',
      meaning: 'Steps end with an error and are retried after 30 s: everything takes longer.',
      steps: [
        'Who else uses the account? All users share the quota.',
        'Reduce the rate of a function that has its own limit ([settings](settings.md), QPS), or request a greater quota.',
      ],
    },
    {
      name: 'TrellisFunctionForbidden',
      severity: 'critical',
      expr: `sum by (program) (increase(${ours('trellis_function_kubernetes_requests_total', 'status="403"')}[10m])) > 0`,
      for: '5m',
      summary: 'The API server denies {{ $labels.program }} a request.',
      meaning: 'Its objects are stuck.',
      steps: [
        'The log of the function shows the denied request. Do its ClusterRole and binding belong to the same release? Apply them again.',
        'A quota or an admission webhook also answers 403: the text says which.',
      ],
    },
    {
      name: 'TrellisReportsMissing',
      severity: 'warning',
      expr: `${steps} > 0 unless sum(increase(${ours('trellis_bridge_reports_total', 'outcome="taken"')}[30m])) > 0`,
      for: '30m',
      summary: 'Functions work, but none reports its metrics.',
      meaning:
        'Only metrics are affected: steps do not wait for reports. Metrics that only functions know are missing.',
      steps: [
        'TRELLIS_REPORT_TO of the functions: does it contain the Service of the bridge with its namespace?',
        'Do NetworkPolicies let function pods reach the bridge (port 8080)? Their log says `report of metrics was not accepted`.',
      ],
    },
    {
      name: 'TrellisReportsCurtailed',
      severity: 'warning',
      expr: `sum(increase(${ours('trellis_bridge_reports_total', 'outcome=~"curtailed|refused"')}[30m])) > 0`,
      for: '5m',
      summary: 'The bridge drops some reported metrics.',
      meaning:
        'The limit of series was reached, or a program that is not a function sends reports. Steps are not affected.',
      steps: [
        'The log of the bridge names the program. Do bridge and functions belong to the same release?',
        'Restart the bridge to reset its series. If the alert returns, report it: a label is not bounded.',
      ],
    },
  ]
}
