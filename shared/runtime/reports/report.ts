import { isRecord } from '../../contract/record-of.ts'
import type { MetricDefinition, Series, SeriesByName } from './kept-series.ts'

/** What a function has counted since its last report: differences, which whoever takes them adds up. */
export interface MetricsReport {
  /** The name of the process: of its function, or that of several (`aws-compact`). */
  readonly program: string
  readonly series: SeriesByName
}

/** Where the bridge takes reports. */
export const reportPath = '/reports'

/** Largest report that is read, in bytes: 500 series of each metric with long labels are below. */
export const reportLimitBytes = 512 * 1024

const programName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Kinds, operations, codes of errors; nothing that a text could hide in. */
const labelValue = /^[\w.:+/-]{0,63}$/

/**
 * Reads a report against the metrics that are known. What is not known is left out, so that function and receiver may be
 * of different versions. Undefined: it is no report.
 */
export const parseReport = (
  text: string,
  known: ReadonlyMap<string, MetricDefinition>,
): MetricsReport | undefined => {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(given) || typeof given.program !== 'string' || !programName.test(given.program))
    return undefined
  if (!isRecord(given.series)) return undefined
  const series: Record<string, readonly Series[]> = {}
  for (const [name, all] of Object.entries(given.series)) {
    const definition = known.get(name)
    if (definition === undefined || definition.type === 'gauge' || !Array.isArray(all)) continue
    series[name] = all.filter((one): one is Series => isSeries(one, definition))
  }
  return { program: given.program, series }
}

const isSeries = (given: unknown, { type, labels, buckets = [] }: MetricDefinition): given is Series =>
  isRecord(given) &&
  Array.isArray(given.labels) &&
  given.labels.length === labels.length &&
  given.labels.every(label => typeof label === 'string' && labelValue.test(label)) &&
  isAmount(given.value) &&
  (type === 'histogram'
    ? Array.isArray(given.counts) &&
      given.counts.length === buckets.length + 1 &&
      given.counts.every(count => isAmount(count) && Number.isInteger(count))
    : given.counts === undefined)

/** Counters only grow, and of what one process counts between two reports nothing is greater: sums of them stay numbers. */
const mostAmount = 1e15

const isAmount = (given: unknown): given is number =>
  typeof given === 'number' && given >= 0 && given <= mostAmount
