import type {
  AssumeRoleRequest,
  AssumeRoleResponse,
  AssumeRoleWithWebIdentityRequest,
  AssumeRoleWithWebIdentityResponse,
} from '@aws-sdk/client-sts'
import { type Call, refuse } from '../service.ts'
import { readWebIdentityToken } from './web-identity-token.ts'

const violation = (value: string | number | undefined, member: string, constraint: string) =>
  refuse(
    'ValidationError',
    `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: ${constraint}`,
  )

interface RoleSession {
  readonly RoleArn?: string | undefined
  readonly RoleSessionName?: string | undefined
  readonly DurationSeconds?: number | undefined
}

/** Constraints of the API reference: session name, duration of 15 minutes to 12 hours. */
const checked = ({ RoleArn: arn = '', RoleSessionName: name = '', DurationSeconds = 3600 }: RoleSession) => {
  const [, accountId, role] =
    /^arn:aws[a-z-]*:iam::(\d{12}):role\/(?:.*\/)?([\w+=,.@-]{1,64})$/.exec(arn) ?? []
  if (accountId === undefined || role === undefined) {
    throw refuse('ValidationError', `${arn} is invalid`)
  }
  if (!/^[\w+=,.@-]{2,64}$/.test(name)) {
    throw violation(name, 'roleSessionName', 'Member must satisfy regular expression pattern: [\\w+=,.@-]*')
  }
  if (DurationSeconds < 900) {
    throw violation(DurationSeconds, 'durationSeconds', 'Member must have value greater than or equal to 900')
  }
  if (DurationSeconds > 43_200) {
    throw violation(DurationSeconds, 'durationSeconds', 'Member must have value less than or equal to 43200')
  }
  return { accountId, role, name, duration: DurationSeconds * 1000 }
}

const openSession = (input: RoleSession, call: Call<object>) => {
  const { accountId, role, name, duration } = checked(input)
  const roleId = `AROA${call.newId(17)}`
  const principal = {
    accountId,
    arn: `arn:aws:sts::${accountId}:assumed-role/${role}/${name}`,
    userId: `${roleId}:${name}`,
  }
  const expires = call.clock.now() + duration
  const session = call.newSession(principal, expires)
  return {
    AssumedRoleUser: { AssumedRoleId: principal.userId, Arn: principal.arn },
    Credentials: {
      AccessKeyId: session.accessKeyId,
      SecretAccessKey: session.secretAccessKey,
      SessionToken: session.sessionToken,
      Expiration: new Date(expires),
    },
  }
}

export const assumeRole = (input: AssumeRoleRequest, call: Call<object>): AssumeRoleResponse =>
  openSession(input, call)

export const assumeRoleWithWebIdentity =
  ({ audience }: { readonly audience?: string }) =>
  (input: AssumeRoleWithWebIdentityRequest, call: Call<object>): AssumeRoleWithWebIdentityResponse => {
    const claims = readWebIdentityToken(input.WebIdentityToken ?? '', call.clock.now(), audience)
    const [first] = claims.audiences
    return {
      ...openSession(input, call),
      SubjectFromWebIdentityToken: claims.subject,
      Provider: claims.issuer,
      ...(first === undefined ? {} : { Audience: first }),
    }
  }
