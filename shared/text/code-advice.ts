import type { ErrorCode } from '../contract/constants.ts'

/** The meaning of an error code for readers (docs/errors.md). */
export interface CodeAdvice {
  /** Its cause. */
  readonly when: string
  /** The person who has to act, and the action. */
  readonly fix: string
  /** True if gardenlet sets the shoot to `Failed` at once (docs/contract/lifecycle.md#error-codes). */
  readonly failsShoot: boolean
}

export const codeAdvice: Readonly<Record<ErrorCode, CodeAdvice>> = {
  ERR_INFRA_UNAUTHENTICATED: {
    when: 'unknown credentials',
    fix: "the user replaces the credentials in the shoot's Secret and retries the shoot",
    failsShoot: true,
  },
  ERR_INFRA_UNAUTHORIZED: {
    when: 'a missing permission',
    fix: 'the user allows the refused call to the credentials and retries the shoot',
    failsShoot: true,
  },
  ERR_INFRA_QUOTA_EXCEEDED: {
    when: 'an exhausted quota',
    fix: 'the user deletes resources in the account, or asks the cloud for a higher quota, and retries the shoot',
    failsShoot: true,
  },
  ERR_INFRA_RATE_LIMITS_EXCEEDED: {
    when: 'too many calls; Trellis requeues throttled calls without a code',
    fix: 'the user finds out what else calls the account so often, and retries the shoot',
    failsShoot: true,
  },
  ERR_INFRA_DEPENDENCIES: {
    when: 'another resource blocks the operation',
    fix: 'the user deletes the resource that blocks the operation, and retries the shoot',
    failsShoot: true,
  },
  ERR_RETRYABLE_INFRA_DEPENDENCIES: {
    when: 'another resource blocks the operation for a while',
    fix: 'no action: it is retried until the other resource is ready or gone',
    failsShoot: false,
  },
  ERR_INFRA_RESOURCES_DEPLETED: {
    when: 'the provider has no capacity',
    fix: 'no action: it is retried. If that takes too long, the user chooses another zone or type of machine',
    failsShoot: false,
  },
  ERR_CLEANUP_CLUSTER_RESOURCES: {
    when: 'resources in the shoot cannot be deleted; not set by Trellis',
    fix: 'the user deletes these resources in the shoot',
    failsShoot: false,
  },
  ERR_CONFIGURATION_PROBLEM: {
    when: 'invalid spec, config or Secret; the message names the field',
    fix: 'the user corrects the field that the message names, and retries the shoot',
    failsShoot: true,
  },
  ERR_RETRYABLE_CONFIGURATION_PROBLEM: {
    when: 'a user’s setting blocks the operation for a while',
    fix: 'the user corrects the setting that the message names; it is retried until then',
    failsShoot: false,
  },
  ERR_PROBLEMATIC_WEBHOOK: {
    when: 'a webhook in the shoot refuses calls; not set by Trellis',
    fix: 'the user repairs or removes the webhook in the shoot, and retries the shoot',
    failsShoot: true,
  },
}

/** The advice for an error without a code. */
export const adviceWithoutCode =
  'the operator of the seed reads the message; it is retried with backoff until the cause is gone'
