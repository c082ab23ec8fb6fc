import { createHash } from 'node:crypto'
import type { AwsCredentialIdentity, Provider } from '@smithy/types'
import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import { type AwsConnection, type ClientSettings, clientSettings } from '../client/client.ts'
import { observeRequests } from '../client/observe-requests.ts'
import { createAwsPace } from '../client/pace-requests.ts'
import { describeAwsError } from '../errors/aws-error.ts'
import {
  type AwsCredentials,
  identityOf,
  type ReadCredentialsOptions,
  readCredentials,
  secretValuesOf,
} from './read-credentials.ts'

/** Access to AWS with the credentials of one object, in one region, for one step. */
export interface Access {
  readonly settings: ClientSettings
  /** The identity to which AWS counts the calls. Not secret. */
  readonly identity: string
  /** Differs for other credentials or regions, without revealing them. Only calls with equal ones may be combined. */
  readonly fingerprint: string
  /** Secret values that no error and no log line may contain. */
  readonly secrets: readonly string[]
}

export interface AccessRequest extends ReadCredentialsOptions {
  /** The Secret of `spec.secretRef`. */
  readonly secret: Secret | undefined
  /** `spec.region`. Overrides the region in the Secret. */
  readonly region: string | undefined
  /** The region if neither sets one. */
  readonly defaultRegion?: string
  readonly signal: AbortSignal
}

export type OpenAccess = (request: AccessRequest) => Promise<Access>

/**
 * Creates the `OpenAccess` of a process. Workload identity sessions are reused between steps. Throws a `CodedError` for
 * an invalid Secret or region, without a request to AWS.
 */
export const createAccess = (connection: AwsConnection, clock: Clock): OpenAccess => {
  const signIn = createSignIn(connection, clock)
  const pace = createAwsPace(clock)
  return async ({ secret, signal, dnsKeys, ...request }) => {
    if (secret === undefined) throw configurationProblem('spec.secretRef: expected a reference to a Secret')
    const { credentials, region: ofSecret } = await readCredentials(secret, dnsKeys ? { dnsKeys } : {})
    const region = request.region || ofSecret || request.defaultRegion || ''
    // The region becomes part of a host name.
    if (!/^[a-z0-9-]+$/.test(region))
      throw configurationProblem(
        request.region || !ofSecret
          ? `spec.region: ${JSON.stringify(region)} is not an AWS region`
          : `the region in Secret ${secret.namespace}/${secret.name} is not an AWS region`,
      )
    const identity = identityOf(credentials)
    return {
      settings: {
        ...clientSettings(connection, region, signIn(credentials, { region, signal })),
        pace: pace.for(identity, region, signal),
      },
      identity,
      fingerprint: createHash('sha256')
        .update(JSON.stringify([credentials, region]))
        .digest('hex'),
      secrets: secretValuesOf(credentials),
    }
  }
}

interface SignInOptions {
  readonly region: string
  readonly signal: AbortSignal
}

/** Returns the credentials with which the SDK signs requests. */
type SignIn = (
  credentials: AwsCredentials,
  options: SignInOptions,
) => AwsCredentialIdentity | Provider<AwsCredentialIdentity>

interface Session {
  readonly identity: AwsCredentialIdentity
  readonly expires: Timestamp
}

/** A session is not used for another step if it ends within this time, in ms. */
const expiryMargin = 5 * 60_000

/**
 * Creates the `SignIn` of a process. An access key is used directly. For a workload identity, STS
 * AssumeRoleWithWebIdentity (regional, unsigned, over the same connections) returns a session. Later steps with the
 * same role and token reuse it until shortly before it ends. A refusal of STS is an `AwsError` of the first call.
 */
const createSignIn = (connection: AwsConnection, clock: Clock): SignIn => {
  const sessions = new Map<string, Session>()

  const assumeRole = async (
    roleArn: string,
    token: string,
    { region, signal }: SignInOptions,
  ): Promise<AwsCredentialIdentity> => {
    const { STSClient, AssumeRoleWithWebIdentityCommand } = await import('@aws-sdk/client-sts')
    const client = new STSClient(clientSettings(connection, region))
    client.middlewareStack.use(observeRequests(connection.onRequest))
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
    if (!session?.AccessKeyId || !session.SecretAccessKey || !session.SessionToken)
      throw new Error(`assuming the role ${roleArn}: STS answered without credentials`)
    return {
      accessKeyId: session.AccessKeyId,
      secretAccessKey: session.SecretAccessKey,
      sessionToken: session.SessionToken,
      ...(session.Expiration && { expiration: session.Expiration }),
    }
  }

  return (credentials, options) => {
    if (credentials.kind === 'access-key')
      return { accessKeyId: credentials.accessKeyId, secretAccessKey: credentials.secretAccessKey }
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
