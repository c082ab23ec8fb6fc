/** How soon somebody has to look. */
export type Severity = 'critical' | 'warning'

/** An alert, and what `docs/alerts.md` says of it. */
export interface Alert {
  /** In the heading of the page, too. */
  readonly name: `Trellis${string}`
  readonly severity: Severity
  /** In PromQL. */
  readonly expr: string
  /** How long it has to be so: `5m`. */
  readonly for: string
  /** One line, with labels of the result: `{{ $labels.kind }}`. */
  readonly summary: string
  /** What is not done meanwhile, for a user or an operator. */
  readonly meaning: string
  /** What to look at and to do, in this order. */
  readonly steps: readonly string[]
}

export interface RecordingRule {
  readonly record: `trellis:${string}`
  readonly expr: string
  /** What for. */
  readonly why: string
}

/** What rules are about. */
export interface RuleScope {
  /** Where the installation lives: another one in the same cluster has rules of its own. */
  readonly namespace: string
  readonly hasWebhooks: boolean
}

/** A metric of this installation: `ours('trellis_bridge_ready', 'kind="Worker"')`. */
export const selector =
  ({ namespace }: Pick<RuleScope, 'namespace'>) =>
  (metric: string, matchers = ''): string =>
    `${metric}{namespace="${namespace}"${matchers === '' ? '' : `,${matchers}`}}`
