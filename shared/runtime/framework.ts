import type { cloudEvent } from '@google-cloud/functions-framework'
import type { ExtensionEvent } from '../events/events.ts'
import { MalformedEventError, parseEventJson } from '../events/events.ts'
import type { Log } from '../log/log.ts'
import type { Handle } from './answer-events.ts'

export interface FrameworkFunction {
  readonly handle: Handle
  /** Returns true if the event is for this function. Default: every event is. */
  readonly accepts?: (event: ExtensionEvent) => boolean
  readonly log: Log
}

/** The framework's `cloudEvent`. A parameter, so that this import does not load the framework. */
export type RegisterCloudEvent = typeof cloudEvent

/** The reason for a 500 response. Outside of production the framework shows the message to the sender. */
export class EventNotHandledError extends Error {
  override readonly name = 'EventNotHandledError'
}

/**
 * Registers a function with the functions framework, for its CLI (`functions-framework --target=<name>`) and its test
 * server. A recorded outcome returns 204, everything else 500. The framework has no other status for CloudEvents,
 * validates nothing and drops work in flight at SIGTERM; production images therefore start `serveFunction`. The first
 * event waits until the function is ready.
 *
 * @example registerWithFramework(cloudEvent, 'aws-dnsrecord', { handle, log })
 */
export const registerWithFramework = (
  register: RegisterCloudEvent,
  name: string,
  served: FrameworkFunction | Promise<FrameworkFunction>,
): void => {
  register(name, async (received: unknown) => {
    const { handle, accepts, log } = await served
    const event = parse(received, log)
    if (accepts && !accepts(event)) throw new EventNotHandledError('event refused: not for this function')
    const outcome = await run(handle, event, log)
    switch (outcome.kind) {
      case 'recorded':
        // Any value other than undefined would become the response body.
        return undefined
      case 'busy':
        throw new EventNotHandledError(`busy: retry in ${outcome.retryAfterSeconds} s`)
      case 'unrecorded':
        throw new EventNotHandledError(`outcome not recorded: ${outcome.reason}`)
    }
  })
}

/** The framework's object has the raw header values, and the parsed body as `data`. */
const parse = (received: unknown, log: Log): ExtensionEvent => {
  try {
    return parseEventJson(received)
  } catch (error) {
    if (!(error instanceof MalformedEventError)) throw error
    log.warn('event refused', { problem: error.message })
    throw new EventNotHandledError(`event refused: ${error.message}`)
  }
}

const run = async (handle: Handle, event: ExtensionEvent, log: Log): ReturnType<Handle> => {
  try {
    return await handle(event, neverAborted)
  } catch (error) {
    log.error('handler failed', { id: event.id, subject: event.subject, error })
    return { kind: 'unrecorded', reason: 'the handler failed' }
  }
}

/** The framework ends the process without warning, so nothing can abort a step. */
const neverAborted = new AbortController().signal
