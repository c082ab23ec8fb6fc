import { classify } from '../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../shared/contract/constants.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import { AwsError } from './aws-error.ts'
import { awsClassifiers } from './classifiers.ts'

/**
 * The error with the codes that it earns, for an actuator's boundary. Only an answer of AWS earns any: a broken way to
 * it is nothing that a user could put right, and most codes end the retries of a shoot. Other errors pass unchanged.
 */
export const withCodes = (error: unknown): unknown => {
  if (!(error instanceof AwsError) || error.origin !== 'aws') return error
  const codes = codesFor(error)
  return codes.length === 0 ? error : new CodedError(error.message, { codes, cause: error })
}

/** The error code of AWS decides; where nothing is known of it, its words do. */
const codesFor = ({ code, said }: AwsError): readonly ErrorCode[] => {
  const known = classify(code, awsClassifiers)
  return known.length > 0 ? known : classify(withoutNames(said), awsClassifiers)
}

/**
 * What AWS repeats of a request is no word of AWS: a record of the name `quotas.example.com` is no quota, and a user
 * `conflict-manager` no conflict.
 */
const withoutNames = (said: string): string =>
  said
    .replace(/(?<!\w)'[^']*'(?!\w)|(?<!\w)"[^"]*"(?!\w)/g, "''")
    .replace(/\barn:\S+/g, 'arn')
    .replace(/\b(DNS name|zone) \S+/g, '$1')
