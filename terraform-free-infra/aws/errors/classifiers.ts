import { type Classifier, gardenerClassifier, inOrder, matching } from '../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../shared/contract/constants.ts'

/**
 * What AWS and the tools around it say, by Gardener's code (docs/contract/lifecycle.md#classifiers); case does not
 * matter.
 */
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
      // RequestLimitExceeded is about the rate of requests, see below.
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
      /violates constraint/i,
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
