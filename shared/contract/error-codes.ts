/**
 * Gardener's error codes (docs/contract/lifecycle.md#error-codes). A code that is not retryable makes gardenlet set
 * the shoot to `Failed` at once; the function itself keeps trying with backoff whatever the code.
 */
export const errorCodes = [
  'ERR_INFRA_UNAUTHENTICATED',
  'ERR_INFRA_UNAUTHORIZED',
  'ERR_INFRA_QUOTA_EXCEEDED',
  'ERR_INFRA_RATE_LIMITS_EXCEEDED',
  'ERR_INFRA_DEPENDENCIES',
  'ERR_RETRYABLE_INFRA_DEPENDENCIES',
  'ERR_INFRA_RESOURCES_DEPLETED',
  'ERR_CLEANUP_CLUSTER_RESOURCES',
  'ERR_CONFIGURATION_PROBLEM',
  'ERR_RETRYABLE_CONFIGURATION_PROBLEM',
  'ERR_PROBLEMATIC_WEBHOOK',
] as const
export type ErrorCode = (typeof errorCodes)[number]
