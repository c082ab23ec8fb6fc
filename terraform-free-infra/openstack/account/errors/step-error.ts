import {
  type Classifier,
  classify,
  codesOf,
  gardenerClassifier,
  inOrder,
  matching,
} from '../../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { CodedError, RequeueAfterError } from '../../../../shared/contract/errors.ts'
import type { ErrorKind } from '../../../engine/engine.ts'
import { isThrottled } from '../client/send-call.ts'
import { isNotFound, OpenStackError } from './openstack-error.ts'

/** Delay after a throttled call, in ms. */
const throttledDelayMs = 30_000

/**
 * Returns the error of a step with Gardener's codes, at the boundary of an actuator. Throttling asks for another attempt
 * in 30 s. Errors of the connection have no code: a user cannot fix them, and most codes end the retries of a shoot.
 */
export const withCodes = (error: unknown): unknown => {
  if (!(error instanceof OpenStackError)) return error
  if (isThrottled(error)) return new RequeueAfterError(error, throttledDelayMs)
  const codes = codesFor(error)
  return codes.length === 0 ? error : new CodedError(error.message, { codes, cause: error })
}

/** Rejects with the error of `withCodes`. The members of an `AggregateError` each have their own codes. */
export const withErrorCodes = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof AggregateError)) throw withCodes(error)
    const codes = [...new Set(error.errors.flatMap(errorCodesOf))].sort()
    throw codes.length === 0 ? error : new CodedError(error.message, { codes, cause: error })
  })

const errorCodesOf = (error: unknown): readonly ErrorCode[] => {
  if (error instanceof OpenStackError) return codesOf(withCodes(error))
  const own = codesOf(error)
  if (own.length > 0) return own
  if (error instanceof AggregateError) return error.errors.flatMap(errorCodesOf)
  return error instanceof Error && error.cause !== undefined ? errorCodesOf(error.cause) : []
}

/** The status and the type of the error decide. If both are unknown, the text decides. */
const codesFor = ({ origin, status, code, said }: OpenStackError): readonly ErrorCode[] => {
  if (origin !== 'openstack' || status === undefined) return []
  if (isOverQuota(status, code, said)) return ['ERR_INFRA_QUOTA_EXCEEDED']
  if (depleted.has(code)) return ['ERR_INFRA_RESOURCES_DEPLETED']
  if (status === 404 && /Could not find Application Credential/i.test(said))
    return ['ERR_INFRA_UNAUTHENTICATED']
  // As the Go extension reports a wrong password (contract, section 4).
  if (status === 401 || status === 403) return ['ERR_INFRA_UNAUTHORIZED']
  if (status === 409) return ['ERR_INFRA_DEPENDENCIES']
  if (status === 400) return ['ERR_CONFIGURATION_PROBLEM']
  return status >= 500 ? [] : classify(said, openstackClassifiers)
}

/** Nova refuses with 403, Neutron with 409, Designate with 413. */
const isOverQuota = (status: number, code: string, said: string): boolean =>
  (code === 'OverQuota' && !/no more ip/i.test(said)) ||
  code === 'over_quota' ||
  ([403, 409, 413].includes(status) &&
    (quotaExceeded.matches(said) || /exceeded quota|Maximum number of ports exceeded/i.test(said)))

const quotaExceeded = inOrder('ERR_INFRA_QUOTA_EXCEEDED', 'quota', 'exceeded')

/** A pool of addresses, or all hosts, are full. */
const depleted: ReadonlySet<string> = new Set([
  'IpAddressGenerationFailure',
  'ExternalIpAddressExhausted',
  'NoMoreExternalIpAddresses',
])

/** Returns the kind of an error of OpenStack for the engine. */
export const errorKindOf = (error: unknown): ErrorKind => {
  if (error instanceof RequeueAfterError) return errorKindOf(error.cause)
  if (!(error instanceof OpenStackError)) return 'other'
  const { origin, status, code, said, repeated } = error
  if (origin === 'client' && status === undefined) return 'uncertain'
  if (status === undefined || status >= 500) return 'uncertain'
  if (isNotFound(error)) return 'gone'
  if (status === 409 && !isOverQuota(status, code, said) && !depleted.has(code))
    return /already exists|already in use by name/i.test(said) ? 'exists' : 'busy'
  return repeated ? 'uncertain' : 'other'
}

/** Texts of OpenStack and its tools, by Gardener code (docs/contract/provider-openstack.md#error-classes). */
const expressions: readonly (readonly [ErrorCode, readonly RegExp[]])[] = [
  [
    'ERR_INFRA_UNAUTHENTICATED',
    [
      /Authentication failed/i,
      /invalid character/i,
      /invalid_client/i,
      /cannot fetch token/i,
      /InvalidSecretAccessKey/i,
      /Could not find Application Credential/i,
    ],
  ],
  [
    'ERR_INFRA_UNAUTHORIZED',
    [
      /Unauthorized/i,
      /SignatureDoesNotMatch/i,
      /invalid_grant/i,
      /Authorization Profile was not found/i,
      /no active subscriptions/i,
      /not authorized/i,
      /AccessDenied/i,
      /PolicyNotAuthorized/i,
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
      /Maximum number of ports exceeded/i,
      /VolumeSizeExceedsAvailableQuota/i,
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
      /There are not enough hosts available/i,
      /No Router found/i,
      /There are one or more ports still in use on the network/i,
    ],
  ],
  ['ERR_RETRYABLE_INFRA_DEPENDENCIES', [/RetryableError/i, /internal server error/i]],
  [
    'ERR_INFRA_RESOURCES_DEPLETED',
    [/not available in the current hardware cluster/i, /out of stock/i, /ResourceExhausted/i],
  ],
  [
    'ERR_CONFIGURATION_PROBLEM',
    [
      /missing expected router/i,
      /overlaps with cidr/i,
      /not supported in your requested Availability Zone/i,
      /notFound/i,
      /Invalid value/i,
      /violates constraint/i,
      /no attached internet gateway found/i,
      /Your query returned no results/i,
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

/** For messages of the machine controller and of nodes. Several codes may match one message. */
export const openstackClassifiers: readonly Classifier[] = [
  gardenerClassifier,
  quotaExceeded,
  inOrder('ERR_CONFIGURATION_PROBLEM', "policy doesn't allow", 'to be performed'),
  ...expressions.flatMap(([code, alternatives]) =>
    alternatives.map(expression => matching(code, expression)),
  ),
]
