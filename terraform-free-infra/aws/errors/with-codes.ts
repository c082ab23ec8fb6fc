import { classify } from '../../../shared/contract/classify.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import { AwsError } from './aws-error.ts'
import { awsClassifiers } from './classifiers.ts'

/**
 * The error with the codes that the words of AWS earn, for an actuator's boundary. Only what AWS said is looked at,
 * not what was being done: a record of the name `quotas.example.com` is no quota. Other errors pass unchanged.
 */
export const withCodes = (error: unknown): unknown => {
  if (!(error instanceof AwsError)) return error
  const codes = classify(error.said, awsClassifiers)
  return codes.length === 0 ? error : new CodedError(error.message, { codes, cause: error })
}
