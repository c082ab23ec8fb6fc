/**
 * CloudEvents that say that an object has work to do: what they hold, how they are made of an object, written to the wire
 * and read from it, and how they are sent.
 */

// An event, made of an object.

export { boundedText, buildEvent, eventData, eventId, omittedAnnotation } from './build.ts'
export type { EventOperation, ExtensionEvent, WorkOperation } from './event.ts'
export { traceparentOf } from './traceparent.ts'

// On the wire.

export {
  type CloudEvent,
  decodeHttp,
  encodeBinary,
  encodeStructured,
  type HttpMessage,
  isJson,
  MalformedEventError,
  parseJson,
} from './cloud-event.ts'
export { eventJson, eventMessage, fromCloudEvent, parseEvent, parseEventJson, toCloudEvent } from './wire.ts'

// On its way.

export { createPost, type PostAnswer } from './post.ts'
export { createSender, parseRetryAfter, type Send, type SendOutcome, type TokenSource } from './send.ts'

// For the suites of other rooms, and benchmarks.

export { attributeLimits } from './attribute-limits.ts'
