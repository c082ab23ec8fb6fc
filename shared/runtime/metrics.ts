import type { Counter, Gauge, Histogram, Registry } from 'prom-client'

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
  /** Node's own metrics: event loop lag, heap, garbage collection. They start when prom-client is first loaded. */
  readonly processMetrics?: boolean
  /** Loads prom-client now instead of at the first scrape. For long-running processes. */
  readonly eager?: boolean
}

/**
 * Removes gauges with names of counters: `nodejs_active_handles_total` and others. `promtool check metrics` refuses such
 * names, and each of these gauges is only the sum of another gauge.
 */
const removeMisnamed = (client: typeof import('prom-client'), registry: Registry): void => {
  for (const { name } of registry.getMetricsAsArray())
    if (name.endsWith('_total') && registry.getSingleMetric(name) instanceof client.Gauge)
      registry.removeSingleMetric(name)
}

type MetricChange = () => void

/**
 * Maximum of buffered changes. When it is reached, prom-client is loaded, so that a function that is never scraped does
 * not grow.
 */
const recordedChanges = 512

/**
 * Creates a separate registry based on prom-client. Loading prom-client takes about 14 ms of a cold start, so changes
 * are buffered until the first scrape or until the buffer is full.
 */
export const createMetrics = ({ processMetrics = false, eager = false }: MetricsOptions = {}): Metrics => {
  let kept: MetricChange[] | undefined = []
  let loading: Promise<Registry> | undefined
  const definitions: ((client: typeof import('prom-client'), registry: Registry) => void)[] = []
  const metrics = new Map<string, () => unknown>()
  let live: { readonly client: typeof import('prom-client'); readonly registry: Registry } | undefined

  const load = (): Promise<Registry> => {
    loading ??= import('prom-client').then(module => {
      // As an ES module, the CommonJS package also has its exports on `default`; in a bundle only directly.
      const client = module.default ?? module
      const registry = new client.Registry()
      if (processMetrics) {
        client.collectDefaultMetrics({ register: registry })
        removeMisnamed(client, registry)
      }
      live = { client, registry }
      for (const define of definitions) define(client, registry)
      for (const change of kept ?? []) change()
      kept = undefined
      return registry
    })
    return loading
  }

  const change = (apply: MetricChange): void => {
    if (kept === undefined) {
      apply()
      return
    }
    kept.push(apply)
    // A failed import is reported at the scrape. Here it must not become an unhandled rejection.
    if (kept.length === recordedChanges) load().catch(() => undefined)
  }

  const define = <M>(
    name: string,
    make: (client: typeof import('prom-client'), registry: Registry) => M,
  ): (() => M | undefined) => {
    const known = metrics.get(name)
    if (known !== undefined) return known as () => M | undefined
    let metric: M | undefined
    metrics.set(name, () => metric)
    const create = (client: typeof import('prom-client'), registry: Registry): void => {
      metric = make(client, registry)
    }
    if (live) create(live.client, live.registry)
    else definitions.push(create)
    return () => metric
  }

  if (eager) load().catch(() => undefined)
  return {
    counter: (name, help, labels = []) => {
      const metric = define<Counter>(
        name,
        (client, registry) =>
          new client.Counter({ name, help, labelNames: [...labels], registers: [registry] }),
      )
      return (values = {}, by = 1) => change(() => metric()?.inc({ ...values }, by))
    },
    gauge: (name, help, labels = []) => {
      const metric = define<Gauge>(
        name,
        (client, registry) =>
          new client.Gauge({ name, help, labelNames: [...labels], registers: [registry] }),
      )
      return (value, values = {}) => change(() => metric()?.set({ ...values }, value))
    },
    histogram: (name, help, labels = [], buckets) => {
      const metric = define<Histogram>(
        name,
        (client, registry) =>
          new client.Histogram({
            name,
            help,
            labelNames: [...labels],
            registers: [registry],
            ...(buckets === undefined ? {} : { buckets: [...buckets] }),
          }),
      )
      return (value, values = {}) => change(() => metric()?.observe({ ...values }, value))
    },
    render: async () => {
      const registry = await load()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
