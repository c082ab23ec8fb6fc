import { type CloudEventV1, CloudEvent as SdkEvent, ValidationError } from 'cloudevents'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { MalformedEventError, parseEventJson } from '../../shared/events/events.ts'

/**
 * Reads a parsed event in the JSON event format: it must be from this system and valid for the CloudEvents SDK. Throws
 * a `MalformedEventError` that quotes none of the data. The SDK checks second, because it generates missing values of
 * `id`, `time` and `specversion`.
 */
export const readSavedEvent = (value: unknown): ExtensionEvent => {
  const event = parseEventJson(value)
  try {
    new SdkEvent(value as Partial<CloudEventV1<unknown>>)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new MalformedEventError(undefined, `the CloudEvents SDK rejects it: ${problemOf(error)}`)
  }
  return event
}

/** The SDK validates with a JSON schema; the message alone says only that it failed. */
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
