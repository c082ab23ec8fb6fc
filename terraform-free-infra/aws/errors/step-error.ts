import { CodedError, RequeueAfterError, StepExpiredError } from '../../../shared/contract/errors.ts'
import { AwsError, type DescribeOptions, describeAwsError } from './aws-error.ts'

export interface StepErrorOptions extends DescribeOptions {
  /** The step's signal: once it has aborted, its reason is the error. */
  readonly signal: AbortSignal
  /** Says more about an error of this call, or undefined to leave it to the classifiers. */
  readonly explain?: (error: AwsError) => Error | undefined
}

/** Wait after a throttled call, in ms (docs/contract/provider-aws.md#throttling). */
const throttledDelayMs = 30_000

/**
 * What a step throws for whatever an SDK call threw: throttling asks for another attempt in 30 s; the other errors of
 * AWS become an `ServiceError`, unless they are one already. Errors that say themselves what happens next pass.
 */
export const stepError = (thrown: unknown, options: StepErrorOptions): unknown => {
  if (
    thrown instanceof StepExpiredError ||
    thrown instanceof CodedError ||
    thrown instanceof RequeueAfterError
  ) {
    return thrown
  }
  if (options.signal.aborted) return options.signal.reason
  const error = thrown instanceof AwsError ? thrown : describeAwsError(thrown, options)
  // It carries no code: waiting is all that has to be done, and ERR_INFRA_RATE_LIMITS_EXCEEDED would set the shoot to
  // `Failed`.
  if (isThrottling(error)) return new RequeueAfterError(error, throttledDelayMs)
  return options.explain?.(error) ?? error
}

const throttlingCodes: ReadonlySet<string> = new Set([
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'ProvisionedThroughputExceededException',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'RequestThrottled',
  'RequestThrottledException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
  'SlowDown',
  'PriorRequestNotComplete',
])

const isThrottling = ({ code, status }: AwsError): boolean => status === 429 || throttlingCodes.has(code)
