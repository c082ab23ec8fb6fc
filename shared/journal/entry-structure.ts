import { isDeeper } from '../decode/json-bounds.ts'
import type { JournalEntry } from './entry.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns true if the value has the structure of `journalEntrySchema`. A schema takes ten times as long, which is more
 * than a second for the journal of a day. Objects are bounded in depth, because a merge recurses.
 */
export const isJournalEntry = (value: unknown): value is JournalEntry => {
  if (!isFields(value) || !isTime(value.at)) return false
  switch (value.type) {
    case 'object':
      return isObjectEntry(value)
    case 'event':
      return isEvent(value.event)
    case 'step':
      return isStep(value)
    case 'gap':
      return isText(value.why) && (value.until === undefined || isTime(value.until))
    default:
      return false
  }
}

const isObjectEntry = ({ id, object, patch, gone }: Fields): boolean =>
  isText(id) &&
  (object === undefined || (isFields(object) && !isDeeper(object))) &&
  (patch === undefined || (isFields(patch) && !isDeeper(patch))) &&
  (gone === undefined || gone === true)

const isEvent = (event: unknown): boolean =>
  isFields(event) &&
  isText(event.id) &&
  isText(event.source) &&
  isText(event.type) &&
  isText(event.subject) &&
  isText(event.time)

const isStep = (step: Fields): boolean =>
  isText(step.event) &&
  isOptionalText(step.traceparent) &&
  isText(step.function) &&
  isText(step.object) &&
  isText(step.operation) &&
  isTime(step.began) &&
  isNumber(step.ms) &&
  isText(step.outcome) &&
  isOptionalText(step.reason) &&
  (step.lost === undefined || Number.isSafeInteger(step.lost)) &&
  Array.isArray(step.calls) &&
  step.calls.every(isCall)

const isCall = (call: unknown): boolean =>
  isFields(call) &&
  (call.to === 'kubernetes' || call.to === 'cloud') &&
  isText(call.name) &&
  isOptionalText(call.target) &&
  isOptionalText(call.args) &&
  isNumber(call.after) &&
  isNumber(call.ms) &&
  isText(call.status) &&
  isOptionalText(call.error) &&
  isOptionalText(call.requestId) &&
  (call.write === undefined || typeof call.write === 'boolean')

const isText = (value: unknown): value is string => typeof value === 'string'
const isOptionalText = (value: unknown): boolean => value === undefined || typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && rfc3339.test(value) && !Number.isNaN(Date.parse(value))
