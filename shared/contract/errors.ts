import type { ErrorCode } from './constants.ts'

/**
 * An error for Gardener. Users read the message in `lastError`: it names the failed action and the needed change, and
 * never contains a secret value or a request id.
 *
 * @example
 * throw new CodedError('the account has no zone for api.example.com. Create it or fix spec.name.', {
 *   codes: ['ERR_CONFIGURATION_PROBLEM'],
 * })
 */
export class CodedError extends Error {
  override readonly name: string = 'CodedError'
  readonly codes: readonly ErrorCode[]

  constructor(message: string, options: { readonly codes: readonly ErrorCode[]; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.codes = options.codes
  }
}

/**
 * Returns the error for a mistake that the user of the object corrects.
 *
 * @example
 * throw configurationProblem('cannot use spec.providerConfig: the zone is empty. Set zone.')
 */
export const configurationProblem = (message: string, cause?: unknown): CodedError =>
  new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'], cause })

/**
 * "Not now": the status has the state `Error` and the cause. The next step starts after exactly the delay, without
 * backoff and without counting as a failure (docs/contract/lifecycle.md#retries-and-deadlines).
 */
export class RequeueAfterError extends Error {
  override readonly name = 'RequeueAfterError'
  readonly delayMs: number
  override readonly cause: Error

  constructor(cause: Error, delayMs: number) {
    super(cause.message, { cause })
    this.cause = cause
    this.delayMs = delayMs
  }
}

/**
 * The step's claim has expired: a paused process woke up late, or the work took too long. The step must not write any
 * more.
 */
export class StepExpiredError extends Error {
  override readonly name: string = 'StepExpiredError'
}

/** The object was replaced, or another step has claimed it. The step must not write any more. */
export class ClaimLostError extends StepExpiredError {
  override readonly name = 'ClaimLostError'
}
