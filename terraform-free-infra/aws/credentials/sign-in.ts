import { createHash } from 'node:crypto'
import type { AwsCredentialIdentity, Provider } from '@smithy/types'
import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { type AwsConnection, clientSettings } from '../client/client-settings.ts'
import { describeAwsError } from '../errors/aws-error.ts'
import type { AwsCredentials } from './credentials.ts'

export interface SignInOptions {
  readonly region: string
  readonly signal: AbortSignal
}

/** Turns credentials into what the SDK signs requests with. */
export type SignIn = (
  credentials: AwsCredentials,
  options: SignInOptions,
) => AwsCredentialIdentity | Provider<AwsCredentialIdentity>

interface Session {
  readonly identity: AwsCredentialIdentity
  readonly expires: Timestamp
}

/** A session this close to its end is not used for another step, in ms. */
const expiryMargin = 5 * 60_000

/**
 * Makes the `SignIn` of a process. An access key is used as it is. For a workload identity, STS
 * AssumeRoleWithWebIdentity (regional, unsigned, through the same connections) gives a session, which later steps
 * with the same role and token use until shortly before it ends. What STS refuses is an `ServiceError` of the first call.
 */
export const createSignIn = (connection: AwsConnection, clock: Clock): SignIn => {
  const sessions = new Map<string, Session>()

  const assumeRole = async (
    roleArn: string,
    token: string,
    { region, signal }: SignInOptions,
  ): Promise<AwsCredentialIdentity> => {
    const { STSClient, AssumeRoleWithWebIdentityCommand } = await import('@aws-sdk/client-sts')
    const client = new STSClient(clientSettings(connection, region))
    const { Credentials: session } = await client
      .send(
        new AssumeRoleWithWebIdentityCommand({
          RoleArn: roleArn,
          RoleSessionName: 'trellis',
          WebIdentityToken: token,
        }),
        { abortSignal: signal },
      )
      .catch((error: unknown) => {
        throw describeAwsError(error, { doing: `assuming the role ${roleArn}`, secrets: [token] })
      })
    if (!session?.AccessKeyId || !session.SecretAccessKey || !session.SessionToken) {
      throw new Error(`assuming the role ${roleArn}: STS answered without credentials`)
    }
    return {
      accessKeyId: session.AccessKeyId,
      secretAccessKey: session.SecretAccessKey,
      sessionToken: session.SessionToken,
      ...(session.Expiration && { expiration: session.Expiration }),
    }
  }

  return (credentials, options) => {
    if (credentials.kind === 'access-key') {
      return { accessKeyId: credentials.accessKeyId, secretAccessKey: credentials.secretAccessKey }
    }
    const { roleArn, token } = credentials
    const key = createHash('sha256').update(`${options.region}\n${roleArn}\n${token}`).digest('hex')
    return async () => {
      const now = clock.now()
      for (const [other, session] of sessions)
        if (session.expires - expiryMargin <= now) sessions.delete(other)
      const known = sessions.get(key)
      if (known) return known.identity
      const identity = await assumeRole(roleArn, token, options)
      const expires = identity.expiration?.getTime()
      if (expires !== undefined) sessions.set(key, { identity, expires })
      return identity
    }
  }
}
