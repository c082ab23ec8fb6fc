import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import { refuse } from '../service.ts'

/** The claims of a web identity token that STS reads. */
export interface Claims {
  readonly issuer: string
  readonly subject: string
  readonly audiences: readonly string[]
}

const decode = (part: string | undefined): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const invalid = (message: string) => refuse('InvalidIdentityToken', message)

const audiencesOf = (audience: unknown): string[] => {
  if (typeof audience === 'string') return [audience]
  return Array.isArray(audience) ? audience.filter(item => typeof item === 'string') : []
}

/**
 * Parses a JSON web token. Its signature is not checked, because the simulator has no issuer's keys.
 *
 * @throws AwsError InvalidIdentityToken (not a token, missing claims, wrong audience), ExpiredTokenException
 */
export const readWebIdentityToken = (token: string, now: Timestamp, audience: string | undefined): Claims => {
  const parts = token.split('.')
  const header = decode(parts[0])
  const claims = decode(parts[1])
  if (parts.length !== 3 || !header || !claims) {
    throw invalid(
      'The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)',
    )
  }
  const { iss, sub, exp } = claims
  for (const [name, value] of Object.entries({ iss, sub, exp })) {
    if (value === undefined) throw invalid(`Missing a required claim: ${name}`)
  }
  if (typeof exp !== 'number' || typeof iss !== 'string' || typeof sub !== 'string') {
    throw invalid(
      "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements",
    )
  }
  if (now >= exp * 1000) {
    const shown = (time: number) => Math.floor(time / 1000)
    throw refuse(
      'ExpiredTokenException',
      `Token expired: current date/time ${shown(now)} must be before the expiration date/time ${exp}`,
    )
  }
  const audiences = audiencesOf(claims.aud)
  if (audience !== undefined && !audiences.includes(audience)) throw invalid('Incorrect token audience')
  return { issuer: iss, subject: sub, audiences }
}
