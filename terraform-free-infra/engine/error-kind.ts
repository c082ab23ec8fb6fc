import { messageOf } from '../../shared/text/message-of.ts'
import type { AnyFound } from './graph/resource-type.ts'

/**
 * The meaning of a cloud error for an action. `uncertain`: the call may have taken effect (no response arrived).
 * `busy`: refused until something else changes (a dependency, an overlap, a state). `gone`: the subject of the call
 * does not exist. `exists`: the resource already exists. `spent`: the idempotency token of a create was used for
 * another resource. `other`: the action has failed.
 */
export type ErrorKind = 'uncertain' | 'busy' | 'gone' | 'exists' | 'spent' | 'other'

/** Classifies an error. Each provider has its own. */
export type ErrorKindOf = (error: unknown) => ErrorKind

/** An action that got no response in time. Its call may have taken effect. */
export class ActionTimeout extends Error {
  override readonly name = 'ActionTimeout'
}

/** An action that failed, with its sentence. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly sentence: string

  constructor(sentence: string, cause: unknown) {
    super(`${sentence}: ${messageOf(cause)}`, { cause })
    this.sentence = sentence
  }
}

/** Returns the cloud's error for a failed resource, or a generic error. */
export const failureOf = (label: string, { id, failure }: AnyFound): Error =>
  failure ?? new Error(`${label} (${id}) has failed`)

/**
 * The failed actions of a step. Each is an `ActionError` whose cause may carry Gardener's codes. The message names each
 * cause once, after all actions that it prevented.
 */
export class ApplyError extends AggregateError {
  override readonly name = 'ApplyError'

  constructor(errors: readonly ActionError[]) {
    super(errors, byCause(errors))
  }
}

const byCause = (errors: readonly ActionError[]): string =>
  [...Map.groupBy(errors, ({ cause }) => messageOf(cause))]
    .map(([text, failed]) => `${sentence(failed)}: ${text}`)
    .join('; ')

/** `a`, `a and b`, `a, b and c`. */
const sentence = (errors: readonly ActionError[]): string => {
  const sentences = errors.map(error => error.sentence)
  const last = sentences.pop() ?? ''
  return sentences.length === 0 ? last : `${sentences.join(', ')} and ${last}`
}
