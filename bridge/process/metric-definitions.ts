import { reportedDefinition, reportMetrics } from '../../shared/reports/reports.ts'
import { createRunnerMetrics } from '../../shared/runner/runner.ts'
import {
  definitionsOf,
  functionMetricDefinitions,
  type MetricDefinition,
} from '../../shared/runtime/runtime.ts'
import { createBridgeMetrics } from '../observers/metrics/metrics.ts'
import { createOutcomeMetrics } from '../observers/outcomes/outcome-metrics.ts'
import { undeliveredMetrics } from '../undelivered/undelivered-endpoint.ts'

/** Returns every metric of the bridge itself, without those that prom-client has for any process. */
export const bridgeMetricDefinitions = (): readonly MetricDefinition[] =>
  definitionsOf(metrics => {
    createBridgeMetrics(metrics, { now: () => 0 })
    createOutcomeMetrics(metrics, { now: () => 0 })
    reportMetrics(metrics)
    undeliveredMetrics(metrics)
    createRunnerMetrics(metrics)
  })

/**
 * Returns the metrics that the bridge reports for functions. Gauges are left out, because a gauge says nothing about a
 * process that has ended.
 */
export const reportedMetricDefinitions = (): readonly MetricDefinition[] =>
  functionMetricDefinitions()
    .filter(({ type }) => type !== 'gauge')
    .map(reportedDefinition)
