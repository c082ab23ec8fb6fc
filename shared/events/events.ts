/** CloudEvents for objects with work: their content, creation from an object, encoding, decoding and sending. */

// Creates an event from an object.

export { boundedText, buildEvent, eventData, eventId, omittedAnnotation } from './build.ts'
export type { EventOperation, ExtensionEvent, WorkOperation } from './event.ts'
export { traceparentOf } from './traceparent.ts'

// Encodes and decodes events.

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

// Sends events.

export { createPost, type PostAnswer } from './post.ts'
export { createSender, parseRetryAfter, type Send, type SendOutcome, type TokenSource } from './send.ts'

// For the suites of other rooms and for benchmarks.

export { attributeLimits } from './attribute-limits.ts'
