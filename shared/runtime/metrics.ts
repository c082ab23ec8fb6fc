import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Labels = Readonly<Record<string, string>>

/**
 * The metrics of a process. Names follow Prometheus: `trellis_events_total`, `trellis_event_seconds`. A second request
 * for a name returns the same metric: functions of one process share it, each with its own label.
 */
export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): (labels?: Labels, by?: number) => void
  gauge(name: string, help: string, labels?: readonly string[]): (value: number, labels?: Labels) => void
  /** `buckets`: upper bounds in the unit of the metric. */
  histogram(
    name: string,
    help: string,
    labels?: readonly string[],
    buckets?: readonly number[],
  ): (value: number, labels?: Labels) => void
  /** The text that Prometheus scrapes. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}

export interface MetricsOptions {
  /** Also Node's own metrics: event loop lag, heap, garbage collection. */
  readonly processMetrics?: boolean
}

/** Creates a separate registry of prom-client. A startup snapshot contains the loaded package. */
export const createMetrics = ({ processMetrics = false }: MetricsOptions = {}): Metrics => {
  const registry = new Registry()
  if (processMetrics) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 3_600_000 })
    removeMisnamed(registry)
    replaceEventLoopLag(registry)
    replaceStartTime(registry)
  }
  /** The metric of this name, or a new one. */
  const shared = <M>(name: string, make: () => M): M =>
    (registry.getSingleMetric(name) as M | undefined) ?? make()
  const about = (name: string, help: string, labels: readonly string[]) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  })
  return {
    counter: (name, help, labels = []) => {
      const counter = shared(name, () => new Counter(about(name, help, labels)))
      return (values = {}, by = 1) => counter.inc({ ...values }, by)
    },
    gauge: (name, help, labels = []) => {
      const gauge = shared(name, () => new Gauge(about(name, help, labels)))
      return (value, values = {}) => gauge.set({ ...values }, value)
    },
    histogram: (name, help, labels = [], buckets) => {
      const histogram = shared(
        name,
        () =>
          new Histogram({
            ...about(name, help, labels),
            ...(buckets === undefined ? {} : { buckets: [...buckets] }),
          }),
      )
      return (value, values = {}) => histogram.observe({ ...values }, value)
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

/**
 * Removes gauges with names of counters: `nodejs_active_handles_total` and others. `promtool check metrics` refuses
 * such names, and each of these gauges is only the sum of another gauge.
 */
const removeMisnamed = (registry: Registry): void => {
  for (const { name } of registry.getMetricsAsArray())
    if (name.endsWith('_total') && registry.getSingleMetric(name) instanceof Gauge)
      registry.removeSingleMetric(name)
}

/** The period of the samples of the event loop, in ms. */
const lagPeriodMs = 1_000

/**
 * Replaces the lags of prom-client, whose values contain the period of their samples. At its usual 10 ms, an idle
 * process takes 20 s of CPU time per hour.
 */
const replaceEventLoopLag = (registry: Registry): void => {
  for (const { name } of registry.getMetricsAsArray())
    if (/^nodejs_eventloop_lag_\w+_seconds$/.test(name)) registry.removeSingleMetric(name)
  const delays = monitorEventLoopDelay({ resolution: lagPeriodMs })
  delays.enable()
  new Gauge({
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: 'The 99th percentile of the event loop delays since the last scrape, in seconds.',
    registers: [registry],
    collect() {
      this.set(Math.max(0, delays.percentile(99) / 1e9 - lagPeriodMs / 1e3))
      delays.reset()
    },
  })
}

/** prom-client computes the start time when it is loaded: that of the build if the process starts from a snapshot. */
const replaceStartTime = (registry: Registry): void => {
  const name = 'process_start_time_seconds'
  registry.removeSingleMetric(name)
  const help = 'Start time of the process since unix epoch in seconds.'
  new Gauge({ name, help, registers: [registry] }).set(Math.round(Date.now() / 1000 - process.uptime()))
}
