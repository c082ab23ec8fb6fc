import type { Labels } from '../metrics.ts'

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

/** Series in memory, limited in number. */
export interface KeptSeries {
  define(definition: MetricDefinition): void
  definitions(): Iterable<MetricDefinition>
  /** Adds to a series or sets a gauge. Returns false if the metric has too many series already. */
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
export const labelValues = (
  definition: Pick<MetricDefinition, 'labels'>,
  values: Labels,
): readonly string[] => definition.labels.map(name => values[name] ?? '')

export const createKeptSeries = (most = mostSeries): KeptSeries => {
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
      if (before === undefined && metric.series.size >= most) return false
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
