/**
 * CloudEvents that say that an object has work to do: what they hold, how they are made of an object, written to the wire
 * and read from it, and how they are sent.
 */

export { boundedText, buildEvent, eventId, omittedAnnotation } from './build.ts'
export {
  type CloudEvent,
  decodeHttp,
  encodeBinary,
  type HttpMessage,
  MalformedEventError,
} from './cloud-event.ts'
export type { EventOperation, ExtensionEvent } from './event.ts'
export { createPost, type PostAnswer } from './post.ts'
export { createSender, parseRetryAfter, type Send, type SendOutcome, type TokenSource } from './send.ts'
export { traceparentOf } from './traceparent.ts'
export { eventJson, eventMessage, fromCloudEvent, parseEvent, parseEventJson, toCloudEvent } from './wire.ts'
