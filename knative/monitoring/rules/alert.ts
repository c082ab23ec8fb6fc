export type Severity = 'critical' | 'warning'

/** An alert with its text in `docs/alerts.md`. */
export interface Alert {
  /** Also the heading on the page. */
  readonly name: `Trellis${string}`
  readonly severity: Severity
  /** A PromQL expression. */
  readonly expr: string
  /** Time for which the expression has to hold: `5m`. */
  readonly for: string
  /** One line, may contain labels of the result: `{{ $labels.kind }}`. */
  readonly summary: string
  /** The impact for a user or an operator. */
  readonly meaning: string
  /** The steps to diagnose and fix it, in order. */
  readonly steps: readonly string[]
}

export interface RecordingRule {
  readonly record: `trellis:${string}`
  readonly expr: string
  readonly why: string
}

export interface RuleScope {
  /** The namespace of the installation. Another one in the same cluster has separate rules. */
  readonly namespace: string
  readonly hasWebhooks: boolean
}

/** Returns a selector for a metric of this installation: `ours('trellis_bridge_ready', 'kind="Worker"')`. */
export const selector =
  ({ namespace }: Pick<RuleScope, 'namespace'>) =>
  (metric: string, matchers = ''): string =>
    `${metric}{namespace="${namespace}"${matchers === '' ? '' : `,${matchers}`}}`
