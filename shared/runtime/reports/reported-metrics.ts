import type { Labels, Metrics } from '../metrics.ts'

/** Metrics of a process that may end before it is scraped. They can be scraped and also sent in reports. */
export interface ReportedMetrics extends Metrics {
  /** Returns the counts since the last call. Excludes gauges, which mean nothing once the process has ended. */
  take(): SeriesByName
  /** Restores series that were not delivered. */
  giveBack(series: SeriesByName): void
  /** Called after each change. */
  onChange(listener: () => void): void
}

/** prom-client's default buckets, in seconds. */
const defaultBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const createReportedMetrics = (): ReportedMetrics => {
  const totals = createSeriesCache()
  const open = createSeriesCache()
  const listeners: (() => void)[] = []
  const define = (definition: MetricDefinition): MetricDefinition => {
    totals.define(definition)
    if (definition.type !== 'gauge') open.define(definition)
    return definition
  }
  const count = (definition: MetricDefinition, value: number, labels: Labels): void => {
    const { name, type } = definition
    const values = labelValues(definition, labels)
    const series = type === 'histogram' ? totals.observed(name, values, value) : { labels: values, value }
    totals.add(name, series)
    open.add(name, series)
    for (const listener of listeners) listener()
  }
  return {
    counter: (name, help, labels = []) => {
      const definition = define({ type: 'counter', name, help, labels })
      return (values = {}, by = 1) => count(definition, by, values)
    },
    gauge: (name, help, labels = []) => {
      const definition = define({ type: 'gauge', name, help, labels })
      return (value, values = {}) => {
        totals.add(name, { labels: labelValues(definition, values), value })
      }
    },
    histogram: (name, help, labels = [], buckets = defaultBuckets) => {
      const definition = define({ type: 'histogram', name, help, labels, buckets })
      return (value, values = {}) => count(definition, value, values)
    },
    render: () => seriesText(totals),
    take: open.take,
    giveBack: series => {
      for (const [name, all] of Object.entries(series)) for (const one of all) open.add(name, one)
    },
    onChange: listener => listeners.push(listener),
  }
}

/** Returns the metrics that a part of a program registers, without counting. */
export const definitionsOf = (register: (metrics: Metrics) => void): readonly MetricDefinition[] => {
  const definitions: MetricDefinition[] = []
  const nothing = () => {}
  register({
    counter: (name, help, labels = []) => {
      definitions.push({ type: 'counter', name, help, labels })
      return nothing
    },
    gauge: (name, help, labels = []) => {
      definitions.push({ type: 'gauge', name, help, labels })
      return nothing
    },
    histogram: (name, help, labels = [], buckets = defaultBuckets) => {
      definitions.push({ type: 'histogram', name, help, labels, buckets })
      return nothing
    },
    render: async () => ({ contentType: '', text: '' }),
  })
  return definitions
}

/** The definition of a metric, without values. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram in ascending order, in the unit of the metric. */
  readonly buckets?: readonly number[]
}

/**
 * One series. `labels` has the order of the definition. `value` is the value of a counter or gauge, or the sum of a
 * histogram. `counts` has the count of each bucket of a histogram; the last one is +Inf.
 */
export interface Series {
  readonly labels: readonly string[]
  readonly value: number
  readonly counts?: readonly number[]
}

/** Series by metric name. */
export type SeriesByName = Readonly<Record<string, readonly Series[]>>

/** The limits of all series together, or of those with one first label. */
export interface SeriesLimits {
  readonly series: number
  /** Bytes of the text that Prometheus scrapes, about. */
  readonly bytes: number
}

/** Series in memory, limited in number. */
export interface SeriesCache {
  define(definition: MetricDefinition): void
  definitions(): Iterable<MetricDefinition>
  /** Adds to a series or sets a gauge. Returns false if a limit does not allow another series. */
  add(name: string, series: Series): boolean
  /** Returns the series that a histogram adds for one value. */
  observed(name: string, labels: readonly string[], value: number): Series
  all(): SeriesByName
  /** Returns everything added since the last call and resets it. */
  take(): SeriesByName
}

/** Labels have few values, so more series than this for one metric is a bug. */
export const mostSeries = 500

/** Returns the label values in the order of the definition. */
const labelValues = (definition: Pick<MetricDefinition, 'labels'>, values: Labels): readonly string[] =>
  definition.labels.map(name => values[name] ?? '')

/**
 * @param most the limit of one metric
 * @param inAll the limit of all metrics together. Default: none
 * @param ofFirst the limit of the series of all metrics with the same first label. Default: none
 */
export const createSeriesCache = (
  most = mostSeries,
  inAll?: SeriesLimits,
  ofFirst?: SeriesLimits,
): SeriesCache => {
  const room = createRoom(inAll)
  const rooms = new Map<string, SeriesRoom>()
  const roomOf = (first: string): SeriesRoom => {
    const known = rooms.get(first)
    if (known !== undefined) return known
    const made = createRoom(ofFirst)
    rooms.set(first, made)
    return made
  }
  const hasRoom = (definition: MetricDefinition, labels: readonly string[]): boolean => {
    if (inAll === undefined) return true
    const bytes = bytesOfSeries(definition, labels)
    const own = roomOf(labels[0] ?? '')
    if (!room.fits(bytes) || !own.fits(bytes)) return false
    room.take(bytes)
    own.take(bytes)
    return true
  }
  const metrics = new Map<
    string,
    { readonly definition: MetricDefinition; readonly series: Map<string, Series> }
  >()
  const all = (): SeriesByName =>
    Object.fromEntries(
      [...metrics]
        .filter(([, { series }]) => series.size > 0)
        .map(([name, { series }]) => [name, [...series.values()]]),
    )
  return {
    define: definition => {
      if (!metrics.has(definition.name)) metrics.set(definition.name, { definition, series: new Map() })
    },
    definitions: () => [...metrics.values()].map(({ definition }) => definition),
    add: (name, { labels, value, counts }) => {
      const metric = metrics.get(name)
      if (metric === undefined) return false
      const key = JSON.stringify(labels)
      const before = metric.series.get(key)
      if (before === undefined && (metric.series.size >= most || !hasRoom(metric.definition, labels)))
        return false
      const base = metric.definition.type === 'gauge' ? 0 : (before?.value ?? 0)
      const sums = counts?.map((count, index) => count + (before?.counts?.[index] ?? 0))
      metric.series.set(key, { labels, value: base + value, ...(sums === undefined ? {} : { counts: sums }) })
      return true
    },
    observed: (name, labels, value) => {
      const { buckets = [] } = metrics.get(name)?.definition ?? {}
      const at = buckets.findIndex(bound => value <= bound)
      const index = at < 0 ? buckets.length : at
      return {
        labels,
        value,
        counts: Array.from({ length: buckets.length + 1 }, (_, bucket) => (bucket === index ? 1 : 0)),
      }
    },
    all,
    take: () => {
      const taken = all()
      for (const { series } of metrics.values()) series.clear()
      return taken
    },
  }
}

interface SeriesRoom {
  readonly fits: (bytes: number) => boolean
  readonly take: (bytes: number) => void
}

const createRoom = (limits: SeriesLimits | undefined): SeriesRoom => {
  const left = {
    series: limits?.series ?? Number.POSITIVE_INFINITY,
    bytes: limits?.bytes ?? Number.POSITIVE_INFINITY,
  }
  return {
    fits: bytes => left.series >= 1 && left.bytes >= bytes,
    take: bytes => {
      left.series--
      left.bytes -= bytes
    },
  }
}

/** Returns the bytes of a series in the text: a histogram has a line for each bucket, its sum and its count. */
const bytesOfSeries = (
  { type, name, labels, buckets = [] }: MetricDefinition,
  values: readonly string[],
): number => {
  const lines = type === 'histogram' ? buckets.length + 3 : 1
  const names = labels.reduce((sum, label) => sum + label.length + 4, 0)
  // The value, and `_bucket{le="…"}`.
  return lines * (name.length + names + values.reduce((sum, value) => sum + value.length, 0) + 40)
}

/**
 * Returns series in the Prometheus text format. Loads prom-client on demand, because it takes 14 ms of a cold start.
 */
export const seriesText = async (
  kept: Pick<SeriesCache, 'all' | 'definitions'>,
): Promise<{ readonly contentType: string; readonly text: string }> => {
  const module = await import('prom-client')
  // As an ES module, the CommonJS package also has its exports on `default`; in a bundle only directly.
  const { AggregatorRegistry } = module.default ?? module
  const all = kept.all()
  const registry = AggregatorRegistry.aggregate([
    [...kept.definitions()].map(definition => jsonOf(definition, all[definition.name] ?? [])),
  ])
  return { contentType: registry.contentType, text: await registry.metrics() }
}

/** Returns a metric in the format of prom-client's `registry.getMetricsAsJSON`. */
const jsonOf = (definition: MetricDefinition, series: readonly Series[]): object => {
  const { name, help, type } = definition
  const labelsOf = ({ labels }: Series) =>
    Object.fromEntries(definition.labels.map((label, index) => [label, labels[index] ?? '']))
  // A metric without labels is shown from the start, as in prom-client.
  const shown = series.length === 0 && definition.labels.length === 0 ? [emptyOf(definition)] : series
  const values =
    type === 'histogram'
      ? shown.flatMap(one => histogramValues(definition, labelsOf(one), one))
      : shown.map(one => ({ labels: labelsOf(one), value: one.value }))
  return { name, help, type, values, aggregator: 'sum' }
}

const emptyOf = ({ type, buckets = [] }: MetricDefinition): Series => ({
  labels: [],
  value: 0,
  ...(type === 'histogram' ? { counts: new Array<number>(buckets.length + 1).fill(0) } : {}),
})

const histogramValues = (
  { name, buckets = [] }: MetricDefinition,
  labels: Readonly<Record<string, string>>,
  { value, counts = [] }: Series,
): readonly object[] => {
  let sum = 0
  const cumulative = counts.map(count => {
    sum += count
    return sum
  })
  return [
    ...cumulative.map((count, index) => ({
      labels: { le: buckets[index] ?? '+Inf', ...labels },
      value: count,
      metricName: `${name}_bucket`,
    })),
    { labels, value, metricName: `${name}_sum` },
    { labels, value: sum, metricName: `${name}_count` },
  ]
}
