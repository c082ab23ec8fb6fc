import type { BridgeTestSeed } from '../../bridge/testing/test-seed.ts'
import { ruleGroups } from '../../knative/monitoring/monitoring.ts'
import type { AlertSeries } from '../../knative/monitoring/testing/alert-cases.ts'
import { createScrapes, type Scrapes } from './scrapes.ts'

/** A fault that was caused, what the code showed of it, and when its alert has to fire and to be over. */
export interface AlertFault {
  readonly alert: string
  readonly series: readonly AlertSeries[]
  readonly firesAt: number
  readonly clearAt: number
}

/** In minutes: when the fault begins, when its alert has to fire, when the fault ends, and when the alert has to be over. */
export interface Times {
  readonly from: number
  readonly fires: number
  readonly until: number
  readonly clear: number
}

export interface Cause extends Times {
  readonly alert: string
  readonly world: (newSeed: () => BridgeTestSeed, scrapes: Scrapes) => Promise<World>
}

/** Acts and shows its metrics once a minute. */
export interface World {
  readonly minute: (minute: number, isBroken: boolean) => Promise<void>
}

/** Names of the series that each alert asks for. */
const seriesOf = new Map(
  ruleGroups({ namespace: 'trellis', hasWebhooks: true })
    .groups.flatMap<object>(({ rules }) => rules)
    .map(rule => rule as { readonly alert?: string; readonly expr: string })
    .map(({ alert, expr }) => [alert, new Set([...expr.matchAll(/[\w:]+(?=\{)/g)].map(([name]) => name))]),
)

/** Causes a fault and records what is scraped meanwhile. */
export const causeFault = async (cause: Cause, newSeed: () => BridgeTestSeed): Promise<AlertFault> => {
  const { alert, from, until, fires, clear } = cause
  const scrapes = createScrapes()
  const world = await cause.world(newSeed, scrapes)
  for (let minute = 0; minute <= clear; minute++) await world.minute(minute, minute >= from && minute < until)
  return { alert, series: scrapes.series(seriesOf.get(alert) ?? new Set()), firesAt: fires, clearAt: clear }
}

/** A file of `promtool test rules`: each alert is quiet at first, fires at its fault, and is over after it. */
export const promtoolFaultTests = (rulesFile: string, faults: readonly AlertFault[]): object => ({
  rule_files: [rulesFile],
  evaluation_interval: '1m',
  tests: faults.map(({ alert, series, firesAt, clearAt }) => ({
    name: alert,
    interval: '1m',
    input_series: series,
    promql_expr_test: [
      [firesAt, 1],
      [clearAt, 0],
    ].map(([minute, value]) => ({
      expr: `(count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)) > bool 0`,
      eval_time: `${minute}m`,
      exp_samples: [{ value }],
    })),
  })),
})
