import type { cloudEvent } from '@google-cloud/functions-framework'
import type { ExtensionEvent } from '../events/events.ts'
import { MalformedEventError, parseEventJson } from '../events/events.ts'
import type { Log } from '../log/log.ts'
import type { Handle } from './answer-events.ts'

export interface FrameworkFunction {
  readonly handle: Handle
  /** Whether an event is for this function at all; absent: every one is. */
  readonly accepts?: (event: ExtensionEvent) => boolean
  readonly log: Log
}

/** The framework's `cloudEvent`. It is handed over, so that nobody loads the framework by importing this. */
export type RegisterCloudEvent = typeof cloudEvent

/** Why an event was answered with 500. The framework shows the message to the sender, outside of production. */
export class EventNotHandledError extends Error {
  override readonly name = 'EventNotHandledError'
}

/**
 * Registers a function with the functions framework, so that its CLI (`functions-framework --target=<name>`) and its
 * test server run it. A recorded outcome is answered 204, everything else 500: the framework knows no other status
 * for CloudEvents, validates nothing and drops work in flight at SIGTERM, which is why production images start
 * `serveFunction` instead. The first event waits for a function that is not ready yet.
 *
 * @example
 * registerWithFramework(cloudEvent, 'aws-dnsrecord', { handle, log })
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
        // Anything but undefined would become the answer's body.
        return undefined
      case 'busy':
        throw new EventNotHandledError(`busy: come again in ${outcome.retryAfterSeconds} s`)
      case 'unrecorded':
        throw new EventNotHandledError(`outcome not recorded: ${outcome.reason}`)
    }
  })
}

/** The framework's object has the headers' values as they were sent, and the parsed body as `data`. */
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

/** The framework ends the process without a warning, so there is nothing that could abort a step. */
const neverAborted = new AbortController().signal
