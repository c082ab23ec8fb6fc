/** CloudEvents for objects with work: their content, creation from an object, encoding, decoding and sending. */

// Creates an event from an object.

export { type EventOperation, type ExtensionEvent, eventTypePrefix, type WorkOperation } from './event.ts'
export { omittedAnnotation } from './read-event.ts'
export { buildEvent, eventData, eventId, sha256Of, traceparentOf } from './write-event.ts'

// Encodes and decodes events.

export { MalformedEventError, parseEvent, parseEventJson } from './read-event.ts'
export { eventJson, eventMessage, type HttpMessage } from './write-event.ts'

// Reads and writes the parts of any CloudEvent.

export {
  checkedAttributes,
  checkGiven,
  decodeHeader,
  type HttpHeaders,
  parseJson,
  singleHeader,
} from './read-event.ts'
export { encodeHeader } from './write-event.ts'

// Sends events.

export {
  createPost,
  createSender,
  emit,
  type Post,
  type PostAnswer,
  PostTimeoutError,
  parseRetryAfter,
  type Send,
  type SendOutcome,
  type SendResult,
  type TokenSource,
} from './send.ts'

// For the suites of other rooms.

export { attributeLimits } from './attribute-limits.ts'
