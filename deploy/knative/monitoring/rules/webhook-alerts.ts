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
      summary: 'No process of webhooks is scraped.',
      meaning:
        'API servers refuse what its webhooks have to change: control planes of shoots are not reconciled.',
      steps: [
        '`kubectl get pods -l app=webhook`, and `kubectl describe` of one that does not run.',
        'Are they running: does Prometheus reach them (ServiceMonitor, NetworkPolicies)?',
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
        'The API server refuses these requests, or goes on without the change, as `failurePolicy` says.',
      steps: [
        `\`review failed\` in the log says why: ${logs}`,
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
        'Whoever writes these objects waits for it, and the API server gives up after `timeoutSeconds`.',
      steps: [
        'Has it enough processor time?',
        'It looks up Clusters and Secrets: how long does the API server take?',
      ],
    },
    {
      name: 'TrellisWebhookCertificateExpires',
      severity: 'critical',
      expr: `min by (component) (${ours('trellis_webhook_certificate_expiry_seconds')}) - time() < 3 * 86400`,
      for: '15m',
      summary:
        'The certificate of {{ $labels.component }}, or the CA that signed it, runs out within three days.',
      meaning:
        'It should have been renewed long ago. When it is over, no API server trusts the webhook any more.',
      steps: [
        'Is [TrellisWebhookUpkeepFails](#trelliswebhookupkeepfails) firing? Then that first.',
        'The log of the leader says why neither was renewed: a CA is valid for 30 days and is replaced long before its end, and every certificate with it.',
        'Delete the Secret of the certificate (`kubectl delete secret -l name=<component>-webhook-server`): the next one is made within a minute. If the CA ends, delete its Secret as well (`name=ca-<component>-webhook`): API servers trust the next one as soon as the registrations have it.',
      ],
    },
    {
      name: 'TrellisWebhookUpkeepFails',
      severity: 'warning',
      expr: `max by (component) (${ours('trellis_webhook_upkeep_failing')}) == 1`,
      for: '15m',
      summary: 'The certificate or the registration of {{ $labels.component }} cannot be kept up.',
      meaning: 'Nothing yet; when the certificate runs out, the webhook does.',
      steps: [
        `\`registering webhooks failed\`, \`reading the certificate failed\` say why: ${logs}`,
        'May its account read and write its Secrets and webhook configurations? Apply the manifests of the same release again.',
      ],
    },
  ]
}
