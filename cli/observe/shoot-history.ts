import { parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { History, StepEntry } from '../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../shared/lifecycle/lifecycle.ts'
import { failedCallText, isFailedCall, stepState } from './nodes/step-nodes.ts'
import { objectErrorOf } from './object-error.ts'
import { type SeedView, viewIdOf } from './seed-view.ts'
import { extensionsOf, stepsOf } from './shoot-of.ts'
import { clockText } from './time-text.ts'

/** Something that happened to a shoot. */
export interface HistoryRow {
  readonly at: Timestamp
  /** The end of a gap, if known. */
  readonly end?: Timestamp
  /** The id of the object: `DNSRecord shoot--garden--rose/rose-external`. Empty for a gap of the journal. */
  readonly object: string
  readonly isFailed: boolean
  /** `step reconcile of aws-dnsrecord: succeeded in 812 ms, 5 calls`. */
  readonly text: string
  /** Failed calls and errors. */
  readonly details: readonly string[]
}

/**
 * Returns the steps of a shoot, the oldest first. Without recorded steps, returns the last operation of each object,
 * which is all that the objects tell.
 */
export const shootHistory = (view: SeedView, technical: string, since: Timestamp): readonly HistoryRow[] => {
  const steps = stepsOf(view, technical)
  const stepped = new Set(steps.map(({ object }) => object))
  return [
    ...steps.map(stepRow),
    ...extensionsOf(view, technical)
      .filter(object => !stepped.has(viewIdOf(object)))
      .flatMap(lastOperationRow),
    ...(view.recorded?.gaps ?? []).map(gapRow),
  ]
    .filter(({ at, end = at }) => end >= since)
    .toSorted((one, other) => one.at - other.at)
}

const gapRow = ({ at: from, until, why }: History['gaps'][number]): HistoryRow => {
  const end = until === undefined ? undefined : parseTimestamp(until)
  const at = parseTimestamp(from) ?? 0
  const text = `not recorded until ${end === undefined ? 'an unknown time' : clockText(end, at)}: ${why}`
  return { at, ...(end !== undefined && { end }), object: '', isFailed: false, text, details: [] }
}

const stepRow = (step: StepEntry): HistoryRow => {
  const failed = step.calls.filter(isFailedCall)
  const calls = step.calls.length + (step.lost ?? 0)
  return {
    at: parseTimestamp(step.began) ?? 0,
    object: step.object,
    isFailed: stepState(step) === 'failed',
    text: `step ${step.operation} of ${step.function}: ${step.outcome} in ${Math.round(step.ms)} ms, ${calls} calls`,
    details: [
      ...(step.reason === undefined ? [] : [step.reason]),
      ...changesOf(step),
      ...failed.map(call => `failed call: ${failedCallText(call)}`),
    ],
  }
}

/** Returns the successful writes of a step, except those of its own claim and status: `changed: ec2 CreateVpc`. */
const changesOf = ({ calls, object }: StepEntry): readonly string[] => {
  const own = object.slice(object.indexOf(' ') + 1)
  const names = calls
    .filter(call => call.write && !isFailedCall(call) && call.target !== own)
    .map(({ name, target }) => `${name}${target === undefined ? '' : ` ${target}`}`)
  const counts = [...Map.groupBy(names, name => name)].map(([name, { length }]) =>
    length === 1 ? name : `${name} (${length} times)`,
  )
  return counts.length === 0 ? [] : [`changed: ${counts.join(', ')}`]
}

const lastOperationRow = (object: KubernetesObject): readonly HistoryRow[] => {
  const { type, state, lastUpdateTime, description } = recordOf(recordOf(object.status).lastOperation)
  const at = parseTimestamp(stringOf(lastUpdateTime))
  if (at === undefined) return []
  const error = objectErrorOf(object, factsOf(object))
  const codes = error === undefined || error.codes.length === 0 ? '' : `${error.codes.join(', ')}: `
  return [
    {
      at,
      object: viewIdOf(object),
      isFailed: state === 'Error' || state === 'Failed',
      text: `last operation ${stringOf(type)} ${stringOf(state)}`,
      details: [error === undefined ? stringOf(description) : `error: ${codes}${error.text}`].filter(
        text => text !== '',
      ),
    },
  ]
}
