import { type Alert, type RuleScope, selector } from './alert.ts'

const logs = '`kubectl logs -l app=webhook` in the namespace of the installation.'

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
        'API servers refuse writes that its webhooks must change: control planes of shoots are not reconciled.',
      steps: [
        '`kubectl get pods -l app=webhook`, and `kubectl describe` of one that does not run.',
        'If they run: does Prometheus reach them (ServiceMonitor, NetworkPolicies)?',
        logs,
      ],
    },
    {
      name: 'TrellisWebhookFails',
      severity: 'critical',
      expr: `${reviews('outcome="failed"')} > 0.05 * ${reviews()}`,
      for: '10m',
      summary: 'The webhook {{ $labels.webhook }} fails.',
      meaning:
        'The API server refuses these requests, or continues without the change, depending on `failurePolicy`.',
      steps: [
        `\`review failed\` in the log shows the reason: ${logs}`,
        'Can it reach the API server and, for a shoot, the API server of the shoot?',
      ],
    },
    {
      name: 'TrellisWebhookSlow',
      severity: 'warning',
      expr: `histogram_quantile(0.99, sum by (webhook, le) (rate(${ours('trellis_webhook_review_seconds_bucket')}[10m]))) > 1`,
      for: '10m',
      summary: 'The webhook {{ $labels.webhook }} takes more than a second.',
      meaning:
        'Clients that write these objects wait for it, and the API server gives up after `timeoutSeconds`.',
      steps: [
        'Does it have enough CPU time?',
        'It looks up Clusters and Secrets: how long does the API server take?',
      ],
    },
    {
      name: 'TrellisWebhookCertificateExpires',
      severity: 'critical',
      expr: `min by (component) (${ours('trellis_webhook_certificate_expiry_seconds')}) - time() < 3 * 86400`,
      for: '15m',
      summary: 'The certificate of {{ $labels.component }}, or its CA, expires within three days.',
      meaning: 'It should have been renewed long ago. After its expiry, no API server trusts the webhook.',
      steps: [
        'Is [TrellisWebhookUpkeepFails](#trelliswebhookupkeepfails) firing? Then fix that first.',
        'The log of the leader shows why neither was renewed: a CA is valid for 30 days and is replaced long before its end, together with its certificates.',
        'Delete the Secret of the certificate (`kubectl delete secret -l name=<component>-webhook-server`): it is recreated within a minute. If the CA expires, also delete its Secret (`name=ca-<component>-webhook`): API servers trust the new CA as soon as the registrations contain it.',
      ],
    },
    {
      name: 'TrellisWebhookUpkeepFails',
      severity: 'warning',
      expr: `max by (component) (${ours('trellis_webhook_upkeep_failing')}) == 1`,
      for: '15m',
      summary: 'The certificate or the registration of {{ $labels.component }} cannot be updated.',
      meaning: 'No effect yet; when the certificate expires, the webhook fails.',
      steps: [
        `\`registering webhooks failed\` and \`reading the certificate failed\` show the reason: ${logs}`,
        'May its account read and write its Secrets and webhook configurations? Apply the manifests of the same release again.',
      ],
    },
  ]
}
