import type { Labels, Metrics } from '../metrics.ts'
import { createKeptSeries, labelValues, type MetricDefinition, type SeriesByName } from './kept-series.ts'
import { seriesText } from './series-text.ts'

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
  const totals = createKeptSeries()
  const open = createKeptSeries()
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
