import { type Alert, type RuleScope, selector } from './alert.ts'

/** Alerts for functions: from their own metrics, and from the node's metrics of their containers. */
export const functionAlerts = (scope: RuleScope): readonly Alert[] => {
  const ours = selector(scope)
  const diedOfMemory = ours('trellis_function_out_of_memory_total')
  const steps = `sum(max by (kind, provider, operation, outcome) (increase(${ours('trellis_object_steps_total')}[30m])))`
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
        "The alert names a program if V8's heap was full (exit code 134, `--max-old-space-size` in `NODE_OPTIONS`), and a pod if the kernel killed it at its limit (137).",
        'The dashboard of the functions shows its resident memory.',
        'In the values of the chart, increase `memory` and `NODE_OPTIONS` (in `env`), or reduce `concurrency`.',
      ],
    },
    {
      name: 'TrellisProgramDoesNotStart',
      severity: 'critical',
      // A new counter has no increase yet, and a program that does not start is tried at least once a minute.
      expr: `sum by (program) (increase(${ours('trellis_runner_starts_total', 'outcome="failed"')}[5m])) > 0 unless sum by (program) (increase(${ours('trellis_runner_starts_total', 'outcome="awake"')}[5m])) > 0`,
      for: '5m',
      summary: 'The seed process cannot start {{ $labels.program }}.',
      meaning: 'Objects of its functions are not reconciled. Their events wait; nothing is lost.',
      steps: [
        'In the log of the seed process, `program does not start` names the reason and the remedy.',
        'The image `seed` and `TRELLIS_PROGRAMS` must be of the same release: `trellis doctor`.',
      ],
    },
    {
      name: 'TrellisFunctionFull',
      severity: 'warning',
      expr: `sum by (program) (increase(${ours('trellis_function_answers_total', 'outcome="full"')}[10m])) > 0`,
      for: '15m',
      summary: '{{ $labels.program }} refuses events because it is full.',
      meaning: 'They are retried; everything takes longer.',
      steps: [
        'Has it reached its maximum scale (`kubectl get podautoscaler`)? A comment at `max-scale` gives the reason for the limit.',
        'Are steps slow ([TrellisStepsSlow](#trellisstepsslow))?',
      ],
    },
    {
      name: 'TrellisCloudThrottles',
      severity: 'warning',
      expr: `sum by (program, cloud_service) (rate(${ours('trellis_function_cloud_throttled_total')}[15m])) > 0.1 * sum by (program, cloud_service) (rate(${ours('trellis_function_cloud_requests_total')}[15m]))`,
      for: '30m',
      summary: '{{ $labels.cloud_service }} throttles at least every tenth request of {{ $labels.program }}.',
      meaning: 'Steps wait, or fail and are retried after 30 s.',
      steps: [
        'Who else uses the account? All users share the quota.',
        'Request a greater quota, or use several accounts. Trellis reduces its own rate.',
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
        'The log of the function shows the request. Apply the manifests of the same release again.',
        'A quota or an admission webhook may also deny it: the text says which.',
      ],
    },
    {
      name: 'TrellisReportsMissing',
      severity: 'warning',
      expr: `${steps} > 0 unless sum(increase(${ours('trellis_bridge_reports_total', 'outcome="taken"')}[30m])) > 0`,
      for: '30m',
      summary: 'Functions work, but none reports its metrics.',
      meaning: 'Metrics of functions are missing; steps are not affected.',
      steps: [
        'Does `TRELLIS_REPORT_TO` of the functions name the Service of the bridge with its namespace?',
        'If their log says `report of metrics was not accepted`: do NetworkPolicies let them reach port 8080 of the bridge? Does the bridge log `report of metrics without a proof of its function`? Apply the manifests of the same release to both again.',
      ],
    },
    {
      name: 'TrellisReportsCurtailed',
      severity: 'warning',
      expr: `sum(increase(${ours('trellis_bridge_reports_total', 'outcome=~"curtailed|refused"')}[30m])) > 0`,
      for: '5m',
      summary: 'The bridge drops some reported metrics.',
      meaning: 'A limit was reached, or another program sends reports. Steps are not affected.',
      steps: [
        'The log of the bridge names the program. Are bridge and functions of the same release?',
        'Restart the bridge. If the alert returns, report a bug: a label has unlimited values.',
      ],
    },
  ]
}
