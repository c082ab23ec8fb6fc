import { codesOf } from '../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../shared/contract/error-codes.ts'
import { CodedError, RequeueAfterError } from '../../../shared/contract/errors.ts'
import { AwsError } from '../../../terraform-free-infra/aws/errors/aws-error.ts'
import { withCodes } from '../../../terraform-free-infra/aws/errors/with-codes.ts'

/** Rejects with Gardener's codes on what was thrown: for the boundary of the actuator. */
export const coded = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof AggregateError ? codedTogether(error) : withCodes(error)
  })

/** The codes of all reads or actions that failed: each may have another cause. */
const codedTogether = (error: AggregateError): unknown => {
  // Reads that were all held back are waited for, like a single one.
  if (error.errors.every(one => one instanceof RequeueAfterError)) return error.errors[0]
  const codes = [...new Set(error.errors.flatMap(codesWithin))].sort()
  const message = messageOf(error)
  if (codes.length > 0) return new CodedError(message, { codes, cause: error })
  return message === error.message ? error : new AggregateError(error.errors, message, { cause: error })
}

/** What AWS says to every read alike, as with credentials that are no good, is said once. */
const messageOf = ({ errors, message }: AggregateError): string => {
  const said = errors.flatMap((one: unknown) => (one instanceof AwsError ? [one] : []))
  if (said.length < errors.length) return message
  const firsts = said.filter((one, index) => said.findIndex(other => other.said === one.said) === index)
  return firsts.map(one => one.message).join('; ')
}

const codesWithin = (error: unknown): readonly ErrorCode[] => {
  if (error instanceof AwsError) return codesOf(withCodes(error))
  const own = codesOf(error)
  if (own.length > 0) return own
  return error instanceof Error && error.cause !== undefined ? codesWithin(error.cause) : []
}
