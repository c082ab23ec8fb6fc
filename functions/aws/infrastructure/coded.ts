import { codesOf } from '../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../shared/contract/error-codes.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import { AwsError } from '../../../terraform-free-infra/aws/errors/aws-error.ts'
import { withCodes } from '../../../terraform-free-infra/aws/errors/with-codes.ts'
import { ApplyError } from '../../../terraform-free-infra/engine/engine.ts'

/** Rejects with Gardener's codes on what was thrown: for the boundary of the actuator. */
export const coded = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof ApplyError ? codedApply(error) : withCodes(error)
  })

/** The codes of all actions that failed: each may have another cause. */
const codedApply = (error: ApplyError): Error => {
  const codes = [...new Set(error.errors.flatMap(codesWithin))].sort()
  return codes.length === 0 ? error : new CodedError(error.message, { codes, cause: error })
}

const codesWithin = (error: unknown): readonly ErrorCode[] => {
  if (error instanceof AwsError) return codesOf(withCodes(error))
  const own = codesOf(error)
  if (own.length > 0) return own
  return error instanceof Error && error.cause !== undefined ? codesWithin(error.cause) : []
}
