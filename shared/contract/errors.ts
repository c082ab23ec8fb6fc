import type { ErrorCode } from './constants.ts'

/**
 * An error that says what Gardener shall be told. The message is what the user reads in `lastError`, so it names
 * what was being done and what to change, and never holds a secret value or a request id.
 *
 * @example
 * throw new CodedError('choosing the hosted zone of api.example.com: none of the 3 zones of the account is a suffix of it', {
 *   codes: ['ERR_CONFIGURATION_PROBLEM'],
 * })
 */
export class CodedError extends Error {
  override readonly name = 'CodedError'
  readonly codes: readonly ErrorCode[]

  constructor(message: string, options: { readonly codes: readonly ErrorCode[]; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.codes = options.codes
  }
}

/**
 * "Not now": the status says `Error` with the cause, and the next step comes after exactly the delay, without
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

/** The step's claim ran out (a paused process woke up late, or the work took too long): nothing more may be written. */
export class StepExpiredError extends Error {
  override readonly name: string = 'StepExpiredError'
}

/** The object is another one by now, or another step holds it: nothing more may be written. */
export class ClaimLostError extends StepExpiredError {
  override readonly name = 'ClaimLostError'
}
