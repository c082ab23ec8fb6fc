import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { WireRequest } from '../codec/message.ts'
import { type Principal, type Refusals, ServiceError } from '../service.ts'
import { authorizationOf } from './authorization.ts'
import type { KeyRing } from './key-ring.ts'
import { isSignedWith } from './signature.ts'
import { parseSigningTime, signingTime } from './signing-time.ts'

export interface AuthenticationSettings {
  readonly keys: KeyRing
  /** The principal of a caller with an unregistered key. If undefined, such keys are refused. */
  readonly stranger: Principal | undefined
  /** The maximal age of a signature, in ms by the simulator's clock. Undefined: any age. */
  readonly signatureLifetime: number | undefined
}

/** An authenticated caller. */
export interface Caller {
  readonly principal: Principal
  readonly accessKeyId: string | undefined
  /** Patterns of the caller's allowed actions. */
  readonly allow: readonly string[]
}

/** Returns the error text for a signature that is too old or too new, or undefined if it is valid. */
const staleness = (text: string, now: Timestamp, lifetime: number): string | undefined => {
  const signed = parseSigningTime(text)
  const minutes = `${Math.round(lifetime / 60_000)} min.`
  if (!(signed >= now - lifetime)) {
    return `Signature expired: ${text} is now earlier than ${signingTime(now - lifetime)} (${signingTime(now)} - ${minutes})`
  }
  if (signed > now + lifetime) {
    return `Signature not yet current: ${text} is still later than ${signingTime(now + lifetime)} (${signingTime(now)} + ${minutes})`
  }
  return undefined
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
  // A URL contains its own validity.
  if (settings.signatureLifetime !== undefined && !authorization.presigned) {
    const stale = staleness(authorization.time, attempt.now, settings.signatureLifetime)
    if (stale !== undefined) throw new ServiceError(refusals.wrongSignature(stale))
  }
  if (key.expires !== undefined && attempt.now >= key.expires)
    throw new ServiceError(refusals.expiredSession())
  return { principal: key.principal, accessKeyId, allow: key.allow }
}

const anonymous: Principal = { accountId: 'anonymous', arn: 'anonymous', userId: 'anonymous' }
