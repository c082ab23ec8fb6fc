import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { WireRequest } from '../codec/message.ts'
import { type Principal, type Refusals, ServiceError } from '../service.ts'
import { authorizationOf } from './authorization.ts'
import type { KeyRing } from './key-ring.ts'
import { isSignedWith } from './signature.ts'

export interface AuthenticationSettings {
  readonly keys: KeyRing
  /** The principal of a caller with an unregistered key. If undefined, such keys are refused. */
  readonly stranger: Principal | undefined
}

/** An authenticated caller. */
export interface Caller {
  readonly principal: Principal
  readonly accessKeyId: string | undefined
  /** Patterns of the caller's allowed actions. */
  readonly allow: readonly string[]
}

export interface AuthenticationInput {
  readonly request: WireRequest
  readonly anonymous: boolean
  readonly signingName: string
  readonly refusals: Refusals
  readonly now: Timestamp
}

const incompleteSignature = () =>
  new ServiceError({
    code: 'IncompleteSignature',
    message:
      "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter.",
    status: 400,
  })

/**
 * Returns the caller.
 *
 * @throws AwsError with the service's text
 */
export const authenticate = (settings: AuthenticationSettings, attempt: AuthenticationInput): Caller => {
  const { request, refusals } = attempt
  const authorization = authorizationOf(request)
  if (authorization === undefined) {
    if (attempt.anonymous) return { principal: anonymous, accessKeyId: undefined, allow: ['*'] }
    throw new ServiceError(refusals.unsigned())
  }
  if (authorization === 'malformed') throw incompleteSignature()
  if (authorization.service !== attempt.signingName) {
    const detail = `Credential should be scoped to correct service: '${attempt.signingName}'. `
    throw new ServiceError(refusals.wrongSignature(detail))
  }
  const { accessKeyId } = authorization
  const key = settings.keys.find(accessKeyId)
  if (!key) {
    if (!settings.stranger) throw new ServiceError(refusals.unknownKey())
    return { principal: settings.stranger, accessKeyId, allow: ['*'] }
  }
  if (key.sessionToken !== authorization.sessionToken) throw new ServiceError(refusals.unknownKey())
  if (!isSignedWith(request, authorization, key.secretAccessKey))
    throw new ServiceError(refusals.wrongSignature())
  if (key.expires !== undefined && attempt.now >= key.expires)
    throw new ServiceError(refusals.expiredSession())
  return { principal: key.principal, accessKeyId, allow: key.allow }
}

const anonymous: Principal = { accountId: 'anonymous', arn: 'anonymous', userId: 'anonymous' }
