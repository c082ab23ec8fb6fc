import {
  definitionsOf,
  functionMetricDefinitions,
  type MetricDefinition,
} from '../../shared/runtime/runtime.ts'
import { reportedDefinition, reportMetrics } from '../reports/report-receiver.ts'
import { createBridgeMetrics } from './metrics.ts'

/** Every metric of the bridge itself, beside those that prom-client has of any process. */
export const bridgeMetricDefinitions = (): readonly MetricDefinition[] =>
  definitionsOf(metrics => {
    createBridgeMetrics(metrics, { now: () => 0 })
    reportMetrics(metrics)
  })

/** What it shows of functions. A gauge says nothing of a process that is gone: those are for who asks the process itself. */
export const reportedMetricDefinitions = (): readonly MetricDefinition[] =>
  functionMetricDefinitions()
    .filter(({ type }) => type !== 'gauge')
    .map(reportedDefinition)
