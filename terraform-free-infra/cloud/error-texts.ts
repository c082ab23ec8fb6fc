import { type Classifier, gardenerClassifier, inOrder, matching } from '../../shared/contract/classify.ts'
import type { ErrorCode } from '../../shared/contract/constants.ts'

/** Texts by Gardener code. Case-insensitive. */
export type ErrorTexts = readonly (readonly [ErrorCode, readonly RegExp[]])[]

export const quotaExceeded = inOrder('ERR_INFRA_QUOTA_EXCEEDED', 'quota', 'exceeded')

/** Texts that the extensions of all clouds classify alike (docs/contract/lifecycle.md#classifiers). */
const usualTexts: ErrorTexts = [
  ['ERR_INFRA_UNAUTHENTICATED', [/InvalidSecretAccessKey/i]],
  ['ERR_INFRA_UNAUTHORIZED', [/Unauthorized/i, /SignatureDoesNotMatch/i, /AccessDenied/i]],
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
      /Conflict/i,
      /inactive billing state/i,
      /timeout while waiting for state to become/i,
      /InvalidCidrBlock/i,
      /already busy for/i,
      /A resource with the ID/i,
    ],
  ],
  ['ERR_RETRYABLE_INFRA_DEPENDENCIES', [/RetryableError/i]],
  ['ERR_INFRA_RESOURCES_DEPLETED', [/not available in the current hardware cluster/i, /out of stock/i]],
  [
    'ERR_CONFIGURATION_PROBLEM',
    [
      /not supported in your requested Availability Zone/i,
      /notFound/i,
      /Invalid value/i,
      /violates constraint/i,
      /no attached internet gateway found/i,
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

/** Returns the classifiers of a cloud: the usual ones, and those of its own texts. */
export const cloudClassifiers = (own: ErrorTexts): readonly Classifier[] => [
  gardenerClassifier,
  quotaExceeded,
  ...[...usualTexts, ...own].flatMap(([code, texts]) => texts.map(text => matching(code, text))),
]
