import { bridgeMetricDefinitions, reportedMetricDefinitions } from '../../bridge/bridge.ts'
import type { MetricDefinition } from '../../shared/runtime/runtime.ts'
import { webhookMetricDefinitions } from '../../shared/webhooks/server/webhook.ts'

/** Metrics of one kind of process, as Prometheus reads them. */
export interface MeasuredProcess {
  readonly process: 'bridge' | 'functions' | 'webhook'
  readonly definitions: readonly MetricDefinition[]
}

/** Every metric besides prom-client's defaults for Node processes. The bridge exposes those of functions. */
export const measuredProcesses = (): readonly MeasuredProcess[] => [
  { process: 'bridge', definitions: bridgeMetricDefinitions() },
  { process: 'functions', definitions: reportedMetricDefinitions() },
  { process: 'webhook', definitions: webhookMetricDefinitions() },
]

/** The stored part of prom-client's own metrics: enough to see the resource usage of a process. */
export const processSeries = [
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_heap_size_used_bytes',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
] as const

/** Returns the names of a metric's series, as used in rules and dashboards. */
export const seriesNames = ({ name, type }: Pick<MetricDefinition, 'name' | 'type'>): readonly string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
