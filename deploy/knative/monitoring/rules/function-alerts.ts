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
      meaning: 'Its steps are taken over after 75 s, and perhaps killed again.',
      steps: [
        "A program: V8's heap was full (exit code 134, `--max-old-space-size` in `NODE_OPTIONS`). A pod: the kernel ended it at the limit of the container (exit code 137).",
        'What does it need (resident memory in the dashboard of the functions), and with how many steps at a time?',
        "Set greater limits (the container's `memory` and, in `env`, `NODE_OPTIONS`), or a smaller `concurrency`: all are values of the chart.",
      ],
    },
    {
      name: 'TrellisFunctionFull',
      severity: 'warning',
      expr: `sum by (program) (increase(${ours('trellis_function_answers_total', 'outcome="full"')}[10m])) > 0`,
      for: '15m',
      summary: '{{ $labels.program }} refuses events because it is full.',
      meaning: 'They come again later; everything takes longer.',
      steps: [
        'Is it at its greatest scale (`kubectl get podautoscaler`)? The comment at `max-scale` says why it is bounded.',
        'Are steps slow ([TrellisStepsSlow](#trellisstepsslow))?',
      ],
    },
    {
      name: 'TrellisCloudThrottles',
      severity: 'warning',
      expr: `sum by (program, cloud_service) (rate(${ours('trellis_function_cloud_throttled_total')}[15m])) > 0.1 * sum by (program, cloud_service) (rate(${ours('trellis_function_cloud_requests_total')}[15m]))`,
      for: '30m',
      summary: '{{ $labels.cloud_service }} refuses every tenth request of {{ $labels.program }}, or more.',
      meaning: 'Steps end with an error and come again in 30 s: everything takes longer.',
      steps: [
        'Who else uses the account? The quota is common to all.',
        'A function that keeps a rate of its own can be set to a smaller one ([settings](settings.md), QPS); or ask for a greater quota.',
      ],
    },
    {
      name: 'TrellisFunctionForbidden',
      severity: 'critical',
      expr: `sum by (program) (increase(${ours('trellis_function_kubernetes_requests_total', 'status="403"')}[10m])) > 0`,
      for: '5m',
      summary: 'The API server forbids {{ $labels.program }} something.',
      meaning: 'Its objects do not get on.',
      steps: [
        'The log of the function names what was asked for. Are its ClusterRole and its binding those of the same release? Apply them again.',
        'A quota or an admission webhook of somebody else answers 403, too: the text says which.',
      ],
    },
    {
      name: 'TrellisReportsMissing',
      severity: 'warning',
      expr: `${steps} > 0 unless sum(increase(${ours('trellis_bridge_reports_total', 'outcome="taken"')}[30m])) > 0`,
      for: '30m',
      summary: 'Functions work, and none reports its metrics.',
      meaning:
        'Nothing else is wrong: steps do not wait for reports. What only functions know is not measured.',
      steps: [
        'TRELLIS_REPORT_TO of the functions: does it name the Service of the bridge, with its namespace?',
        'Do NetworkPolicies let function pods reach the bridge (port 8080)? Their log says `a report of metrics was not taken`.',
      ],
    },
    {
      name: 'TrellisReportsCurtailed',
      severity: 'warning',
      expr: `sum(increase(${ours('trellis_bridge_reports_total', 'outcome=~"curtailed|refused"')}[30m])) > 0`,
      for: '5m',
      summary: 'The bridge does not count all that is reported to it.',
      meaning:
        'A bound of series was reached, or something that is no function sends reports. Steps do not suffer.',
      steps: [
        'The log of the bridge names the program. Are bridge and functions of the same release?',
        'Restart the bridge: its series begin anew. If it comes again, report it: a label is not bounded.',
      ],
    },
  ]
}
