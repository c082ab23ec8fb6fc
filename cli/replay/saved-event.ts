import { type CloudEventV1, HTTP, CloudEvent as SdkEvent, ValidationError } from 'cloudevents'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { eventJson, MalformedEventError, parseEventJson } from '../../shared/events/events.ts'

/**
 * Reads an event in the JSON event format, parsed already: one of this system, and one that the CloudEvents SDK takes.
 * Throws a `MalformedEventError` that quotes nothing of the data. The SDK comes second: it makes up what is missing of
 * `id`, `time` and `specversion`.
 */
export const readSavedEvent = (value: unknown): ExtensionEvent => {
  const event = parseEventJson(value)
  try {
    new SdkEvent(value as Partial<CloudEventV1<unknown>>)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new MalformedEventError(undefined, `the CloudEvents SDK refuses it: ${problemOf(error)}`)
  }
  return event
}

/** The event as the SDK writes it in structured mode, in lines: the form in which events are saved. */
export const savedEvent = (event: ExtensionEvent): string => {
  const { body } = HTTP.structured(new SdkEvent(eventJson(event)))
  return `${JSON.stringify(JSON.parse(String(body)), null, 2)}\n`
}

/** The SDK checks by a JSON schema, and then its message alone says no more than that. */
const problemOf = (error: Error): string => {
  const [first] = error instanceof ValidationError ? ((error.errors ?? []) as readonly SchemaProblem[]) : []
  return first?.message === undefined
    ? (error.message.split('\n')[0] ?? '')
    : `${first.instancePath?.slice(1)}: ${first.message}`
}

interface SchemaProblem {
  readonly instancePath?: string
  readonly message?: string
}
