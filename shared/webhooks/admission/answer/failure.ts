/** What may be told of something that was thrown while an object was reviewed. */
export interface ReviewFailure {
  readonly name: string
  readonly message: string
  /** Where, in frames of the stack, without its first lines. */
  readonly at: readonly string[]
}

/** Errors whose message is made by Trellis or by an API server, which names objects and no content. */
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
 * Of any other error the message is not told: `JSON.parse` quotes its text, `Buffer` and URLs what they were given, and the
 * object may be a Secret.
 */
export const failureOf = (error: unknown): ReviewFailure => {
  if (!(error instanceof Error)) return { name: typeof error, message: 'something was thrown', at: [] }
  const lines = error.stack?.split('\n').filter(line => frame.test(line)) ?? []
  return {
    name: error.name,
    message: withoutContent.has(error.name) ? error.message : `an unexpected ${error.name}`,
    at: lines.slice(0, 5).map(line => line.trim()),
  }
}
