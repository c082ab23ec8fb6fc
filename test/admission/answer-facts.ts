/** What of an answer is compared: the words of a message are each one's own. */
export interface AnswerFacts {
  readonly allowed: boolean
  /** HTTP status of a refusal. */
  readonly code: number
  /** `path: kind of error`, sorted, each once. */
  readonly errors: readonly string[]
}

const kinds = [
  'Required value',
  'Invalid value',
  'Unsupported value',
  'Duplicate value',
  'Forbidden',
  'Not found',
  'Too many',
  'Internal error',
]

const fieldError = new RegExp(`(?<=^|[\\s[])([^\\s[][^\\s]*): (${kinds.join('|')})(?=:)`, 'g')

export const answerFacts = (allowed: boolean, code = 200, message = ''): AnswerFacts => ({
  allowed,
  code,
  errors: [
    ...new Set([...message.matchAll(fieldError)].map(([, path, kind]) => `${path}: ${kind}`)),
  ].toSorted(),
})
