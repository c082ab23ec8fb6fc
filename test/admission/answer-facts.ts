/** The parts of an answer that are compared. Message texts may differ. */
export interface AnswerFacts {
  readonly allowed: boolean
  /** The HTTP status of a refusal. */
  readonly code: number
  /** `path: kind of error`, sorted and unique. */
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
