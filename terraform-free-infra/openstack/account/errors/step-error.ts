import { type Classifier, classify, codesOf, inOrder } from '../../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { CodedError, RequeueAfterError } from '../../../../shared/contract/errors.ts'
import { cloudClassifiers, type ErrorTexts, quotaExceeded } from '../../../cloud/error-texts.ts'
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

/** Texts of OpenStack and its tools, beside the usual ones (docs/contract/provider-openstack.md#error-classes). */
const ownTexts: ErrorTexts = [
  [
    'ERR_INFRA_UNAUTHENTICATED',
    [
      /Authentication failed/i,
      /invalid character/i,
      /invalid_client/i,
      /cannot fetch token/i,
      /Could not find Application Credential/i,
    ],
  ],
  [
    'ERR_INFRA_UNAUTHORIZED',
    [
      /invalid_grant/i,
      /Authorization Profile was not found/i,
      /no active subscriptions/i,
      /not authorized/i,
      /PolicyNotAuthorized/i,
    ],
  ],
  ['ERR_INFRA_QUOTA_EXCEEDED', [/Maximum number of ports exceeded/i, /VolumeSizeExceedsAvailableQuota/i]],
  [
    'ERR_INFRA_DEPENDENCIES',
    [
      /There are not enough hosts available/i,
      /No Router found/i,
      /There are one or more ports still in use on the network/i,
    ],
  ],
  ['ERR_RETRYABLE_INFRA_DEPENDENCIES', [/internal server error/i]],
  ['ERR_INFRA_RESOURCES_DEPLETED', [/ResourceExhausted/i]],
  [
    'ERR_CONFIGURATION_PROBLEM',
    [
      /missing expected router/i,
      /overlaps with cidr/i,
      /Your query returned no results/i,
      /invalid VPC attributes/i,
    ],
  ],
]

/** For messages of the machine controller and of nodes. Several codes may match one message. */
export const openstackClassifiers: readonly Classifier[] = [
  inOrder('ERR_CONFIGURATION_PROBLEM', "policy doesn't allow", 'to be performed'),
  ...cloudClassifiers(ownTexts),
]
