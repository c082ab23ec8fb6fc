import { classify } from '../../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { CodedError, RequeueAfterError, StepExpiredError } from '../../../../shared/contract/errors.ts'
import { cloudClassifiers, type ErrorTexts } from '../../../cloud/error-texts.ts'
import { AwsError, type DescribeOptions, describeAwsError } from './aws-error.ts'
import { isThrottled } from './is-throttled.ts'

export interface StepErrorOptions extends DescribeOptions {
  /** The signal of the step. After an abort, its reason is the error. */
  readonly signal: AbortSignal
  /** Returns a more specific error for this call, or undefined to use the classifiers. */
  readonly explain?: (error: AwsError) => Error | undefined
}

/** Delay after a throttled call, in ms (docs/contract/provider-aws.md#throttling). */
const throttledDelayMs = 30_000

/**
 * Returns the error of a step for any error of an SDK call: throttling requests another attempt in 30 s; other AWS
 * errors become an `AwsError`, unless they are one already. Errors that define the next action are returned unchanged.
 */
export const stepError = (thrown: unknown, options: StepErrorOptions): unknown => {
  if (
    thrown instanceof StepExpiredError ||
    thrown instanceof CodedError ||
    thrown instanceof RequeueAfterError
  )
    return thrown
  if (options.signal.aborted) return options.signal.reason
  const error = thrown instanceof AwsError ? thrown : describeAwsError(thrown, options)
  // Without a code: waiting is enough, and ERR_INFRA_RATE_LIMITS_EXCEEDED would set the shoot to `Failed`.
  if (isThrottled(error.code, error.status)) return new RequeueAfterError(error, throttledDelayMs)
  return options.explain?.(error) ?? error
}

/**
 * Adds the codes to an error, at the boundary of an actuator. Only responses of AWS get codes: a user cannot fix a
 * broken connection, and most codes end the retries of a shoot. Other errors are returned unchanged.
 */
export const withCodes = (error: unknown): unknown => {
  if (!(error instanceof AwsError) || error.origin !== 'aws') return error
  const codes = codesFor(error)
  return codes.length === 0 ? error : new CodedError(error.message, { codes, cause: error })
}

/** Rejects with the error of `withCodes`. */
export const coded = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw withCodes(error)
  })

/** The error code of AWS decides. If it is unknown, the text decides. */
const codesFor = ({ code, said }: AwsError): readonly ErrorCode[] => {
  const known = classify(code, awsClassifiers)
  return known.length > 0 ? known : classify(withoutNames(said), awsClassifiers)
}

/**
 * Removes the request's own names from the text: a record named `quotas.example.com` is not a quota, and a user
 * `conflict-manager` not a conflict.
 */
const withoutNames = (said: string): string =>
  said
    .replace(/(?<!\w)'[^']*'(?!\w)|(?<!\w)"[^"]*"(?!\w)/g, "''")
    .replace(/\barn:\S+/g, 'arn')
    .replace(/\b(DNS name|zone) \S+/g, '$1')

/** Texts of AWS and its tools, beside the usual ones (docs/contract/lifecycle.md#classifiers). */
const ownTexts: ErrorTexts = [
  ['ERR_INFRA_UNAUTHENTICATED', [/AuthFailure/i, /InvalidAccessKeyId/i]],
  ['ERR_INFRA_UNAUTHORIZED', [/InvalidClientTokenId/i]],
  [
    'ERR_INFRA_DEPENDENCIES',
    [
      /InsufficientFreeAddressesInSubnet/i,
      /internal server error/i,
      /currently associated with another service/i,
    ],
  ],
  ['ERR_INFRA_RESOURCES_DEPLETED', [/InsufficientInstanceCapacity/i]],
  [
    'ERR_CONFIGURATION_PROBLEM',
    [
      /InvalidParameterValue/i,
      /InvalidSubnet/i,
      // The machine controller refuses a class. Gardener's own list does not contain this text.
      /error while validating ProviderSpec/i,
      // Termination protection of an instance, which only its user may end.
      /may not be terminated/i,
      /invalid VPC attributes/i,
    ],
  ],
]

/** For `determineCodes` at the boundary of every AWS actuator. Several codes may match one message. */
export const awsClassifiers = cloudClassifiers(ownTexts)
