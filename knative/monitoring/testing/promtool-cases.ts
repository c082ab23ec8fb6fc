import { bridgeDashboard } from '../dashboards/bridge-dashboard.ts'
import { alertGroups } from '../rules/rules.ts'
import type { AlertCase, AlertSeries } from './alert-cases.ts'
import type { PanelCase } from './panel-cases.ts'

/**
 * Returns a file for `promtool test rules` that evaluates each case separately. It queries the series `ALERTS`, so that
 * a case need not repeat the texts. Another test ensures that no expression (`{{ … }}`) remains in them.
 */
export const promtoolTests = (rulesFile: string, cases: readonly AlertCase[]): object => ({
  rule_files: [rulesFile],
  evaluation_interval: '1m',
  tests: cases.flatMap(({ alert, at, firing, quiet }) => [
    testOf(`${alert} fires`, alert, at, firing, 1),
    testOf(`${alert} is quiet`, alert, at, quiet, 0),
  ]),
})

const testOf = (name: string, alert: string, at: string, series: readonly AlertSeries[], count: 0 | 1) => ({
  name,
  interval: '1m',
  input_series: series.map(({ series: of, values }) => ({ series: of, values })),
  promql_expr_test: [
    {
      expr: `(count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)) > bool 0`,
      eval_time: at,
      exp_samples: [{ value: count }],
    },
  ],
})

/** Returns the same for the values of panels. */
export const promtoolPanelTests = (cases: readonly PanelCase[]): object => {
  const panels = bridgeDashboard({ namespace: 'trellis', hasWebhooks: true }).rows.flatMap(row => row.panels)
  return {
    evaluation_interval: '1m',
    tests: cases.map(({ title, series, shows }) => ({
      name: title,
      interval: '1m',
      input_series: series.map(({ series: of, values }) => ({ series: of, values })),
      promql_expr_test: shows.map((samples, index) => ({
        expr: panels.find(panel => panel.title === title)?.queries[index]?.expr,
        eval_time: '3m',
        exp_samples: samples,
      })),
    })),
  }
}

/** The names of all alerts of an installation with all features. */
export const alertNames = (): readonly string[] =>
  alertGroups({ namespace: 'trellis', hasWebhooks: true }).flatMap(({ alerts }) =>
    alerts.map(({ name }) => name),
  )
