import { type Alert, type RuleScope, selector } from './alert.ts'

/** Alerts from the status of objects. */
export const objectAlerts = (scope: RuleScope): readonly Alert[] => {
  const ours = selector(scope)
  const steps = (outcome: string) =>
    `sum by (kind, provider) (max by (kind, provider, operation, outcome) (increase(${ours('trellis_object_steps_total', outcome)}[30m])))`
  const errors = (matcher: string) =>
    `sum by (kind, provider, code) (max by (kind, provider, code) (increase(${ours('trellis_object_errors_total', matcher)}[30m])))`
  return [
    {
      name: 'TrellisRequestTooOld',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_object_oldest_request_seconds')}) > 3600`,
      for: '10m',
      summary: 'An object of kind {{ $labels.kind }} has not succeeded for more than an hour.',
      meaning: 'A shoot is not created, changed or deleted.',
      steps: [
        '`trellis status` shows the object, its error, who has to act, and its next step; `trellis trace` shows its shoot.',
        '`kubectl describe` shows `status.lastError` and Events. [Errors](errors.md) explains the codes.',
        'If it is `Processing`, the annotation `trellis.gardener.cloud/step` shows what it waits for, and until when.',
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
        'The dashboard Trellis / Overview shows the codes. Did they start with a release?',
        '`kubectl get events -A --field-selector reason=StepFailed` shows the texts.',
        'Check the status page of the cloud, and throttled requests in the dashboard of the functions.',
      ],
    },
    {
      name: 'TrellisErrorWithoutCode',
      severity: 'warning',
      expr: `${errors('code="none"')} > 10`,
      for: '15m',
      summary: 'Steps of {{ $labels.kind }} with {{ $labels.provider }} fail with errors without a code.',
      meaning: 'The status does not say who must act; it may be a bug.',
      steps: ['Report a bug with the text of the Event `StepFailed` and the log of the function.'],
    },
    {
      name: 'TrellisStepsExpire',
      severity: 'warning',
      expr: `${steps('outcome="expired"')} > 2`,
      for: '5m',
      summary: 'Steps of {{ $labels.kind }} with {{ $labels.provider }} end without recording an outcome.',
      meaning: 'Functions were killed or cut off. Another step takes over after 75 s.',
      steps: [
        'Is [TrellisFunctionOutOfMemory](#trellisfunctionoutofmemory) firing? Otherwise read `kubectl logs -c function --previous`.',
        '`kubectl get events` shows removed nodes and evictions.',
        '`timeoutSeconds` of the Service and the delivery timeout of the Broker must exceed `TRELLIS_STEP_LIMIT_MS`.',
      ],
    },
    {
      name: 'TrellisStepsSlow',
      severity: 'warning',
      expr: `histogram_quantile(0.9, sum by (kind, le) (max by (kind, operation, le) (rate(${ours('trellis_object_step_seconds_bucket')}[15m])))) > 45`,
      for: '30m',
      summary: 'Steps of {{ $labels.kind }} nearly reach their time limit.',
      meaning: 'A step is stopped after 60 s and retried, so it may never complete.',
      steps: [
        'The dashboard of the functions shows the duration of requests. Are they throttled ([TrellisCloudThrottles](#trelliscloudthrottles))?',
        'Does the function get enough CPU time? Does each event cause a cold start?',
      ],
    },
  ]
}
