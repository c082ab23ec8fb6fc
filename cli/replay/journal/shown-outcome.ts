import { isRecord, recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { StepEntry } from '../../../shared/journal/journal.ts'
import type { ObjectChanges, RecordedOutcome } from './recorded-step.ts'
import { stepOf } from './steps-of-object.ts'

/**
 * Returns the outcome of the step that claimed an object with the change at `first`: as its function reported it, else
 * as the object shows it until another step claims it.
 */
export const shownOutcome = (
  changes: ObjectChanges,
  first: number | undefined,
  eventId: string,
  report: StepEntry | undefined,
): RecordedOutcome => {
  const own = first === undefined ? [] : changes.slice(first)
  const end = own.findIndex(change => {
    const after = change.after()
    return after !== undefined && stepOf(after)?.event !== eventId
  })
  const last = (end === -1 ? own : own.slice(0, end)).at(-1)
  const left = last?.after()
  const status = recordOf(left?.status)
  const { description, codes } = recordOf(status.lastError)
  const state = stringOf(recordOf(status.lastOperation).state)
  const shown = ((): string => {
    if (last === undefined) return 'unknown'
    if (left === undefined) return 'succeeded'
    if (state === 'Error' || state === 'Failed') return 'failed'
    if (state === 'Succeeded') return 'succeeded'
    return stepOf(left)?.phase === 'waiting' ? 'continues' : 'unknown'
  })()
  const how = report?.outcome ?? shown
  const error =
    how === 'failed' && isRecord(status.lastError)
      ? { text: stringOf(description), codes: Array.isArray(codes) ? codes.map(stringOf) : [] }
      : report?.reason === undefined
        ? undefined
        : { text: report.reason, codes: [] }
  return { how, ...(error && { error }), ...(report && { ms: report.ms }), calls: report?.calls ?? [] }
}
