import type { KeptSeries, MetricDefinition, Series } from './kept-series.ts'

/**
 * Returns series in the Prometheus text format. Loads prom-client on demand, because it takes 14 ms of a cold start.
 */
export const seriesText = async (
  kept: Pick<KeptSeries, 'all' | 'definitions'>,
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
