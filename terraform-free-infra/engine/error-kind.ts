import { messageOf } from '../../shared/contract/message-of.ts'
import type { AnyFound } from './graph/resource-type.ts'

/**
 * What an error of the cloud means for an action. `uncertain`: it may have happened (no answer came). `busy`: refused as
 * long as something else is as it is (a dependency, an overlap, a state). `gone`: what the call is about is not there.
 * `exists`: the resource already exists. `spent`: the idempotency token of a create was used for another resource. `other`: the
 * action has failed.
 */
export type ErrorKind = 'uncertain' | 'busy' | 'gone' | 'exists' | 'spent' | 'other'

/** The provider's reading of its errors. */
export type ErrorKindOf = (error: unknown) => ErrorKind

/** An action that had no answer in its time. What it asked for may have happened. */
export class ActionTimeout extends Error {
  override readonly name = 'ActionTimeout'
}

/** An action that failed, with the sentence that names it. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly sentence: string

  constructor(sentence: string, cause: unknown) {
    super(`${sentence}: ${messageOf(cause)}`, { cause })
    this.sentence = sentence
  }
}

/** What the cloud says about a thing that has failed, else that it has. */
export const failureOf = (label: string, { id, failure }: AnyFound): Error =>
  failure ?? new Error(`${label} (${id}) has failed`)

/**
 * The failed actions of a step; each is an `ActionError`, whose cause may carry Gardener's codes. The message says a
 * cause once, after all the actions that it has kept from happening.
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
