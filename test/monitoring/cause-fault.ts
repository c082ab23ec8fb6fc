import type { BridgeTestSeed } from '../../bridge/testing/test-seed.ts'
import { ruleGroups } from '../../knative/monitoring/monitoring.ts'
import type { AlertSeries } from '../../knative/monitoring/testing/alert-cases.ts'
import { createScrapes, type Scrapes } from './scrapes.ts'

/** A caused fault, its metrics, and the times at which its alert must fire and end. */
export interface AlertFault {
  readonly alert: string
  readonly series: readonly AlertSeries[]
  readonly firesAt: number
  readonly clearAt: number
}

/**
 * In minutes: the start of the fault, the latest start of its alert, the end of the fault, and the latest end of the
 * alert.
 */
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

/** Acts and returns its metrics once a minute. */
export interface World {
  readonly minute: (minute: number, isBroken: boolean) => Promise<void>
}

/** The series that each alert uses. */
const seriesOf = new Map(
  ruleGroups({ namespace: 'trellis', hasWebhooks: true })
    .groups.flatMap<object>(({ rules }) => rules)
    .map(rule => rule as { readonly alert?: string; readonly expr: string })
    .map(({ alert, expr }) => [alert, new Set([...expr.matchAll(/[\w:]+(?=\{)/g)].map(([name]) => name))]),
)

/** Causes a fault and records the scraped metrics. */
export const causeFault = async (cause: Cause, newSeed: () => BridgeTestSeed): Promise<AlertFault> => {
  const { alert, from, until, fires, clear } = cause
  const scrapes = createScrapes()
  const world = await cause.world(newSeed, scrapes)
  for (let minute = 0; minute <= clear; minute++) await world.minute(minute, minute >= from && minute < until)
  return { alert, series: scrapes.series(seriesOf.get(alert) ?? new Set()), firesAt: fires, clearAt: clear }
}

/** Returns a file for `promtool test rules`. Each alert is quiet at first, fires at its fault, and ends after it. */
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
