import { alertGroups } from '../rules/rules.ts'
import type { AlertCase, AlertSeries } from './alert-cases.ts'

/**
 * A file of `promtool test rules` in which each case is looked at alone. Whether an alert fires is asked of the series `ALERTS`,
 * so that a case need not repeat its texts; that nothing is left of an expression (`{{ … }}`) is held by another test.
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

/** The names of all alerts of an installation that has everything. */
export const alertNames = (): readonly string[] =>
  alertGroups({ namespace: 'trellis', hasWebhooks: true }).flatMap(({ alerts }) =>
    alerts.map(({ name }) => name),
  )
