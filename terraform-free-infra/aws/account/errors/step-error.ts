import {
  type Classifier,
  classify,
  gardenerClassifier,
  inOrder,
  matching,
} from '../../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { CodedError, RequeueAfterError, StepExpiredError } from '../../../../shared/contract/errors.ts'
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

/** Texts of AWS and its tools, by Gardener code (docs/contract/lifecycle.md#classifiers). Case-insensitive. */
const expressions: readonly (readonly [ErrorCode, readonly RegExp[]])[] = [
  ['ERR_INFRA_UNAUTHENTICATED', [/AuthFailure/i, /InvalidAccessKeyId/i, /InvalidSecretAccessKey/i]],
  [
    'ERR_INFRA_UNAUTHORIZED',
    [
      /Unauthorized/i,
      /InvalidClientTokenId/i,
      /SignatureDoesNotMatch/i,
      /UnauthorizedOperation/i,
      /AccessDenied/i,
    ],
  ],
  [
    'ERR_INFRA_QUOTA_EXCEEDED',
    [
      // RequestLimitExceeded is about the request rate, see below.
      /(?<!Request)LimitExceeded/i,
      /Quotas/i,
      /exceeded quota/i,
      /Quota has been met/i,
      /QUOTA_EXCEEDED/i,
    ],
  ],
  ['ERR_INFRA_RATE_LIMITS_EXCEEDED', [/RequestLimitExceeded/i, /Throttling/i, /Too many requests/i]],
  [
    'ERR_INFRA_DEPENDENCIES',
    [
      /PendingVerification/i,
      /Access Not Configured/i,
      /accessNotConfigured/i,
      /DependencyViolation/i,
      /OptInRequired/i,
      /DeleteConflict/i,
      /Conflict/i,
      /inactive billing state/i,
      /timeout while waiting for state to become/i,
      /InvalidCidrBlock/i,
      /already busy for/i,
      /InsufficientFreeAddressesInSubnet/i,
      /internal server error/i,
      /A resource with the ID/i,
      /currently associated with another service/i,
    ],
  ],
  ['ERR_RETRYABLE_INFRA_DEPENDENCIES', [/RetryableError/i]],
  [
    'ERR_INFRA_RESOURCES_DEPLETED',
    [/not available in the current hardware cluster/i, /InsufficientInstanceCapacity/i, /out of stock/i],
  ],
  [
    'ERR_CONFIGURATION_PROBLEM',
    [
      /not supported in your requested Availability Zone/i,
      /InvalidParameterValue/i,
      /notFound/i,
      /InvalidSubnet/i,
      /Invalid value/i,
      // The machine controller refuses a class. Gardener's own list does not contain this text.
      /error while validating ProviderSpec/i,
      /violates constraint/i,
      // Termination protection of an instance, which only its user may end.
      /may not be terminated/i,
      /no attached internet gateway found/i,
      /invalid VPC attributes/i,
      /unrecognized feature gate/i,
      /runtime-config invalid key/i,
      /strict decoder error/i,
      /not allowed to configure an unsupported/i,
      /duplicate zones/i,
      /overlapping zones/i,
    ],
  ],
  [
    'ERR_RETRYABLE_CONFIGURATION_PROBLEM',
    [
      /is misconfigured and requires zero voluntary evictions/i,
      /SDK\.CanNotResolveEndpoint/i,
      /The requested configuration is currently not supported/i,
    ],
  ],
]

/** For `determineCodes` at the boundary of every AWS actuator. Several codes may match one message. */
export const awsClassifiers: readonly Classifier[] = [
  gardenerClassifier,
  inOrder('ERR_INFRA_QUOTA_EXCEEDED', 'quota', 'exceeded'),
  ...expressions.flatMap(([code, alternatives]) =>
    alternatives.map(expression => matching(code, expression)),
  ),
]
