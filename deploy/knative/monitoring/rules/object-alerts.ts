import { type Alert, type RuleScope, selector } from './alert.ts'

/** Alerts from the status of objects. */
export const objectAlerts = (scope: RuleScope): readonly Alert[] => {
  const ours = selector(scope)
  const steps = (outcome: string) =>
    `sum by (kind, provider) (max by (shard, kind, provider, operation, outcome) (increase(${ours('trellis_object_steps_total', outcome)}[30m])))`
  const errors = (matcher: string) =>
    `sum by (kind, provider, code) (max by (shard, kind, provider, code) (increase(${ours('trellis_object_errors_total', matcher)}[30m])))`
  return [
    {
      name: 'TrellisRequestTooOld',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_object_oldest_request_seconds')}) > 3600`,
      for: '10m',
      summary: 'An object of kind {{ $labels.kind }} has not succeeded for more than an hour.',
      meaning: 'A shoot is not created, changed or deleted.',
      steps: [
        '`trellis bridge --dump` shows the object, its state and its last error.',
        '`kubectl describe` of the object: `status.lastError` and its Events. An error with a code says who has to act: [errors](errors.md).',
        'Does it wait (`Processing`)? `trellis.gardener.cloud/step` shows for what and until when.',
      ],
    },
    {
      name: 'TrellisStepsFail',
      severity: 'warning',
      expr: `${steps('outcome="failed"')} > 5 and ${steps('outcome="failed"')} > 0.5 * ${steps('outcome!="continues"')}`,
      for: '15m',
      summary: 'Most steps of {{ $labels.kind }} with {{ $labels.provider }} fail.',
      meaning: 'A cloud, an account or a release is at fault, not a single object.',
      steps: [
        'The dashboard Trellis / Overview: which codes, since when? Was a release rolled out at that time?',
        '`kubectl get events -A --field-selector reason=StepFailed` shows the texts.',
        'The status page of the cloud; throttled requests by service are in the dashboard of the functions.',
      ],
    },
    {
      name: 'TrellisErrorWithoutCode',
      severity: 'warning',
      expr: `${errors('code="none"')} > 10`,
      for: '15m',
      summary: 'Steps of {{ $labels.kind }} with {{ $labels.provider }} fail with errors without a code.',
      meaning: 'Users do not see who has to act; it may be a bug.',
      steps: [
        '`kubectl get events -A --field-selector reason=StepFailed` shows the texts. Report a bug with the text and the log of the function.',
      ],
    },
    {
      name: 'TrellisStepsExpire',
      severity: 'warning',
      expr: `${steps('outcome="expired"')} > 2`,
      for: '5m',
      summary: 'Steps of {{ $labels.kind }} with {{ $labels.provider }} end without recording an outcome.',
      meaning: 'Each costs 75 s until another step takes over. Functions were killed or cut off.',
      steps: [
        'Is [TrellisFunctionOutOfMemory](#trellisfunctionoutofmemory) firing? Otherwise see the last lines of the function (`kubectl logs -c function --previous`).',
        'Removed nodes, evictions: `kubectl get events`.',
        'Does the Broker cut requests before the function ends its steps? `timeoutSeconds` of the Service and the delivery timeout of the Broker must be greater than TRELLIS_STEP_LIMIT_MS.',
      ],
    },
    {
      name: 'TrellisStepsSlow',
      severity: 'warning',
      expr: `histogram_quantile(0.9, sum by (kind, le) (max by (shard, kind, operation, le) (rate(${ours('trellis_object_step_seconds_bucket')}[15m])))) > 45`,
      for: '30m',
      summary: 'Steps of {{ $labels.kind }} nearly reach their time limit.',
      meaning: 'After 60 s a step is stopped and retried, so it may never complete.',
      steps: [
        'How long do requests to the cloud and to the API server take (see the dashboard of the functions)? Are they throttled ([TrellisCloudThrottles](#trelliscloudthrottles))?',
        'Does the function have enough CPU time, or is there a cold start for each event?',
      ],
    },
  ]
}
