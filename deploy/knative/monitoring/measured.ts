import { bridgeMetricDefinitions, reportedMetricDefinitions } from '../../../bridge/bridge.ts'
import type { MetricDefinition } from '../../../shared/runtime/runtime.ts'
import { webhookMetricDefinitions } from '../../../shared/webhooks/server/webhook.ts'

/** Metrics of one kind of process, as Prometheus gets them. */
export interface MeasuredProcess {
  readonly process: 'bridge' | 'functions' | 'webhook'
  readonly definitions: readonly MetricDefinition[]
}

/** Every metric that is counted, beside what prom-client shows of every process of Node. The bridge shows those of functions. */
export const measuredProcesses = (): readonly MeasuredProcess[] => [
  { process: 'bridge', definitions: bridgeMetricDefinitions() },
  { process: 'functions', definitions: reportedMetricDefinitions() },
  { process: 'webhook', definitions: webhookMetricDefinitions() },
]

/** What of prom-client's own metrics is kept: enough to see what a process needs. */
export const processSeries = [
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_heap_size_used_bytes',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
] as const

/** Names of series, as rules and dashboards name them. */
export const seriesNames = ({ name, type }: Pick<MetricDefinition, 'name' | 'type'>): readonly string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
