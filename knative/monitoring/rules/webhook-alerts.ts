import { type Alert, type RuleScope, selector } from './alert.ts'

/** Alerts for the process that API servers call. */
export const webhookAlerts = (scope: RuleScope): readonly Alert[] => {
  const ours = selector(scope)
  const reviews = (matcher = '') =>
    `sum by (webhook) (rate(${ours('trellis_webhook_reviews_total', matcher)}[10m]))`
  return [
    {
      name: 'TrellisWebhookDown',
      severity: 'critical',
      expr: `absent(${ours('trellis_webhook_certificate_expiry_seconds')})`,
      for: '5m',
      summary: 'Prometheus scrapes no process of webhooks.',
      meaning:
        'API servers refuse writes that webhooks must change, so control planes of shoots are not reconciled.',
      steps: [
        'Do its pods run (`kubectl get pods -l app=webhook`)? If not, read `kubectl describe`.',
        'If they run: does Prometheus reach them (ServiceMonitor, NetworkPolicies)?',
      ],
    },
    {
      name: 'TrellisWebhookFails',
      severity: 'critical',
      expr: `${reviews('outcome="failed"')} > 0.05 * ${reviews()}`,
      for: '10m',
      summary: 'The webhook {{ $labels.webhook }} fails.',
      meaning: 'Depending on `failurePolicy`, API servers refuse the requests or skip the change.',
      steps: [
        '`review failed` in the log shows the reason.',
        'Does it reach the API servers of the seed and of the shoot?',
      ],
    },
    {
      name: 'TrellisWebhookSlow',
      severity: 'warning',
      expr: `histogram_quantile(0.99, sum by (webhook, le) (rate(${ours('trellis_webhook_review_seconds_bucket')}[10m]))) > 1`,
      for: '10m',
      summary: 'The webhook {{ $labels.webhook }} takes more than a second.',
      meaning: 'Writes of these objects wait for it, and fail after `timeoutSeconds`.',
      steps: ['Does it get enough CPU time?', 'It reads Clusters and Secrets: is the API server slow?'],
    },
    {
      name: 'TrellisWebhookCertificateExpires',
      severity: 'critical',
      expr: `min by (component) (${ours('trellis_webhook_certificate_expiry_seconds')}) - time() < 3 * 86400`,
      for: '15m',
      summary: 'The certificate of {{ $labels.component }}, or its CA, expires within three days.',
      meaning: 'Its renewal is late. After its expiry, no API server trusts the webhook.',
      steps: [
        'Is [TrellisWebhookUpkeepFails](#trelliswebhookupkeepfails) firing? Then fix that first.',
        'The log of the leader shows why it was not renewed. A CA is valid for 30 days and is replaced after 20.',
        'Delete the Secret of the certificate (`kubectl delete secret -l name=<component>-webhook-server`): it is recreated within a minute. If the CA expires, also delete its Secret (`name=ca-<component>-webhook`).',
      ],
    },
    {
      name: 'TrellisWebhookUpkeepFails',
      severity: 'warning',
      expr: `max by (component) (${ours('trellis_webhook_upkeep_failing')}) == 1`,
      for: '15m',
      summary: 'The certificate or the registration of {{ $labels.component }} cannot be updated.',
      meaning: 'The webhook fails when its certificate expires.',
      steps: [
        '`registering webhooks failed` or `reading the certificate failed` in the log shows the reason.',
        'May its account write its Secrets and webhook configurations? Apply the manifests of the same release again.',
      ],
    },
  ]
}
