import type { Alert, RecordingRule, RuleScope } from './alert.ts'
import { bridgeAlerts } from './bridge-alerts.ts'
import { functionAlerts } from './function-alerts.ts'
import { objectAlerts } from './object-alerts.ts'
import { recordingRules } from './recording-rules.ts'
import { webhookAlerts } from './webhook-alerts.ts'

export const alertGroups = (
  scope: RuleScope,
): readonly { readonly name: string; readonly alerts: readonly Alert[] }[] => [
  { name: 'bridge', alerts: bridgeAlerts(scope) },
  { name: 'objects', alerts: objectAlerts(scope) },
  { name: 'functions', alerts: functionAlerts(scope) },
  ...(scope.hasWebhooks ? [{ name: 'webhooks', alerts: webhookAlerts(scope) }] : []),
]

const runbookUrl = (name: string): string =>
  `https://github.com/trellis-gardener/trellis/blob/main/docs/alerts.md#${name.toLowerCase()}`

/** Returns the `spec` of a PrometheusRule, which promtool also reads. */
export const ruleGroups = (scope: RuleScope) => ({
  groups: [
    { name: 'trellis.recording.rules', rules: recordingRules(scope).map(recorded) },
    ...alertGroups(scope).map(({ name, alerts }) => ({
      name: `trellis.${name}.rules`,
      rules: alerts.map(alertRule),
    })),
  ],
})

const recorded = ({ record, expr }: RecordingRule) => ({ record, expr })

/** Has the labels of Gardener's own alerts, by which an Alertmanager routes them. */
const alertRule = ({ name, severity, expr, summary, meaning, ...alert }: Alert) => ({
  alert: name,
  expr,
  for: alert.for,
  labels: { service: 'trellis', severity, type: 'seed', visibility: 'operator' },
  annotations: { summary, description: meaning, runbook_url: runbookUrl(name) },
})
