import { messageOf } from '../../../text/message-of.ts'
/** The loggable part of an error that was thrown during a review. */
export interface ReviewFailure {
  readonly name: string
  readonly message: string
  /** Frames of the stack, without the message. */
  readonly at: readonly string[]
}

/** Errors with a message of Trellis or an API server. These name objects but never contain their content. */
const withoutContent = new Set([
  'KubernetesError',
  'AnswerTooLargeError',
  'ConnectionError',
  'NotPermittedError',
  'TimeoutError',
  'NotFoundError',
])

const frame = /^ {4}at /

/**
 * Omits the message of any other error: `JSON.parse`, `Buffer` and URLs quote their input, and the object may be a
 * Secret.
 */
export const failureOf = (error: unknown): ReviewFailure => {
  if (!(error instanceof Error))
    return { name: typeof error, message: 'a value that is not an error was thrown', at: [] }
  const lines = error.stack?.split('\n').filter(line => frame.test(line)) ?? []
  return {
    name: error.name,
    message: withoutContent.has(error.name) ? messageOf(error) : `an unexpected ${error.name}`,
    at: lines.slice(0, 5).map(line => line.trim()),
  }
}
