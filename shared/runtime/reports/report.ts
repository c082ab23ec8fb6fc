import { isLonger } from '../../decode/json-bounds.ts'
import { isRecord, parsedJson } from '../../decode/record-of.ts'
import { type StepReport, stepReportSchema } from '../../journal/journal.ts'
import { mostOfReport } from '../steps/open-step.ts'
import type { MetricDefinition, Series, SeriesByName } from './reported-metrics.ts'

/** The counts of a function since its last report. The receiver adds them up. */
export interface MetricsReport {
  /** The name of the process: its function, or the name for several (`aws-compact`). */
  readonly program: string
  readonly series: SeriesByName
  /** Steps that ended since the last report. Receivers of earlier versions ignore them. */
  readonly steps?: readonly StepReport[]
}

/** The path at which the bridge receives reports. */
export const reportPath = '/reports'

/** The audience of the tokens with which functions prove their reports. Such a token is of no use anywhere else. */
export const reportAudience = 'trellis-bridge'

/** The folder of a function's pod with its token for reports, which the kubelet renews. */
export const reportTokenFolder = '/var/run/secrets/trellis.gardener.cloud/reports'

/** Maximum report size in bytes. 500 series of each metric with long labels fit. */
export const reportLimitBytes = 512 * 1024

const programName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Kinds, operations and error codes match. Free text does not. */
const labelValue = /^[\w.:+/-]{0,63}$/

/**
 * Parses a report against the known metrics. Unknown parts are ignored, so function and receiver can have different
 * versions. Returns undefined if the text is not a report.
 */
export const parseReport = (
  text: string,
  known: ReadonlyMap<string, MetricDefinition>,
): MetricsReport | undefined => {
  const given = parsedJson(text)
  if (!isRecord(given) || typeof given.program !== 'string' || !programName.test(given.program))
    return undefined
  if (!isRecord(given.series)) return undefined
  const series: Record<string, readonly Series[]> = {}
  for (const [name, all] of Object.entries(given.series)) {
    const definition = known.get(name)
    if (definition === undefined || definition.type === 'gauge' || !Array.isArray(all)) continue
    series[name] = all.filter((one): one is Series => isSeries(one, definition))
  }
  const steps = Array.isArray(given.steps) ? given.steps.flatMap(stepOf) : []
  return { program: given.program, series, ...(steps.length > 0 && { steps }) }
}

/** Returns the known fields of a step's report, or nothing if it is none or too large. */
const stepOf = (given: unknown): readonly StepReport[] => {
  const parsed = stepReportSchema.safeParse(given)
  return parsed.success && !isLonger(parsed.data, mostOfReport) ? [parsed.data] : []
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

/** Maximum amount in one report of one process. Counters only grow; with this limit their sums stay finite. */
const mostAmount = 1e15

const isAmount = (given: unknown): given is number =>
  typeof given === 'number' && given >= 0 && given <= mostAmount
