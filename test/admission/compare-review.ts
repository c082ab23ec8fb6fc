import { isDeepStrictEqual } from 'node:util'
import { sendReview } from '../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { WebhookDefinition } from '../../shared/webhooks/admission/admission.ts'
import { type RecordedReview, recordedResult } from '../../shared/webhooks/admission/testing/recording.ts'

/** One review with the answers of the Go extension and of this project. */
interface ComparedReview {
  readonly file: string
  readonly name: string
  /** Empty if both answers are equal, or produce the same object. */
  readonly differences: readonly string[]
}

/** Replays a recorded review, and compares the answers. @param garden the objects that can be looked up */
export const compareReview = async (
  file: string,
  recorded: RecordedReview,
  definition: WebhookDefinition,
  garden: readonly KubernetesObject[],
): Promise<ComparedReview> => {
  const replayed = await sendReview(definition, recorded, { objects: garden })
  return { file, name: recorded.name, differences: differencesOf(recorded, replayed) }
}

const differencesOf = (
  recorded: RecordedReview,
  replayed: Awaited<ReturnType<typeof sendReview>>,
): readonly string[] => {
  const { response } = recorded
  const before = answerFacts(response.allowed, response.status?.code, response.status?.message)
  const after = answerFacts(replayed.allowed, replayed.code, replayed.message)
  if (!isDeepStrictEqual(before, after)) return [`the peer: ${described(before)}; here: ${described(after)}`]
  if (!response.allowed) return []
  const results = [recordedResult(recorded), replayed.object]
  return isDeepStrictEqual(results[0], results[1])
    ? []
    : [`the object of the peer: ${JSON.stringify(results[0])}; here: ${JSON.stringify(results[1])}`]
}

const described = ({ allowed, code, errors }: ReturnType<typeof answerFacts>): string =>
  allowed ? 'allowed' : `refused with ${code}${errors.length > 0 ? `, ${errors.join(', ')}` : ''}`

/** The parts of an answer that are compared. Message texts may differ. */
interface AnswerFacts {
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
