import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { codesOf } from '../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../shared/contract/constants.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import { ConnectionError, KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'
import {
  DefinitionError,
  type DefinitionProblem,
  isDefinitionError,
} from '../../../shared/runtime/runtime.ts'
import { messageOf } from '../../../shared/text/message-of.ts'

/** An error as data, with the fields from which another process restores its class. */
export type Failure = { readonly message: string } & (
  | { readonly kind: 'kubernetes'; readonly status: number; readonly reason: string }
  | { readonly kind: 'connection'; readonly sent: boolean }
  | { readonly kind: 'definition'; readonly problems: readonly DefinitionProblem[] }
  | { readonly kind: 'usage' }
  | { readonly kind: 'other'; readonly codes: readonly ErrorCode[] }
)

export const failureOf = (error: unknown): Failure => {
  const message = messageOf(error)
  if (error instanceof KubernetesError)
    return { kind: 'kubernetes', message, status: error.status, reason: error.reason }
  if (error instanceof ConnectionError) return { kind: 'connection', message, sent: error.sent }
  if (isDefinitionError(error)) return { kind: 'definition', message, problems: error.problems }
  if (error instanceof UsageError) return { kind: 'usage', message }
  return { kind: 'other', message, codes: codesOf(error) }
}

export const errorOf = (failure: Failure): Error => {
  const { message } = failure
  switch (failure.kind) {
    case 'kubernetes':
      return new KubernetesError(failure.status, failure.reason, message)
    case 'connection':
      return new ConnectionError(message, { cause: undefined, sent: failure.sent })
    case 'definition':
      return new DefinitionError(failure.problems)
    case 'usage':
      return new UsageError(message)
    case 'other':
      return failure.codes.length === 0
        ? new Error(message)
        : new CodedError(message, { codes: failure.codes })
  }
}
