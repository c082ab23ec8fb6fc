import { CreateHostedZoneCommand, ListHostedZonesCommand } from '@aws-sdk/client-route-53'
import {
  AssumeRoleCommand,
  AssumeRoleWithWebIdentityCommand,
  GetCallerIdentityCommand,
} from '@aws-sdk/client-sts'
import { beforeEach, describe, expect, test } from 'vitest'
import { type VirtualClock, virtualClock } from '../../../../../shared/clock/clock.ts'
import type { Aws } from '../aws-interface.ts'
import { createAws } from '../simulator.ts'
import { failureOf, route53Of, stsOf } from '../testing/clients.ts'

const roleArn = 'arn:aws:iam::999988887777:role/garden/trellis'

let clock: VirtualClock
let aws: Aws

beforeEach(() => {
  clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  aws = createAws({ clock, sts: { audience: 'trellis' }, anyCredentials: false })
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = (claims: object = {}) => {
  const all = {
    iss: 'https://issuer.example.com',
    sub: 'system:serviceaccount:garden:dns',
    aud: ['trellis'],
    exp: clock.now() / 1000 + 600,
    ...claims,
  }
  return `${encode({ alg: 'RS256' })}.${encode(all)}.signature`
}

const assume = (WebIdentityToken: string, more: object = {}) =>
  stsOf(aws).send(
    new AssumeRoleWithWebIdentityCommand({
      RoleArn: roleArn,
      RoleSessionName: 'session',
      WebIdentityToken,
      ...more,
    }),
  )

const keysOf = (
  credentials:
    | {
        AccessKeyId?: string | undefined
        SecretAccessKey?: string | undefined
        SessionToken?: string | undefined
      }
    | undefined,
) => ({
  accessKeyId: String(credentials?.AccessKeyId),
  secretAccessKey: String(credentials?.SecretAccessKey),
  sessionToken: String(credentials?.SessionToken),
})

describe('a session from a web identity', () => {
  test('the session acts for the role, in the role’s account', async () => {
    const session = await assume(token())
    const keys = keysOf(session.Credentials)
    const identity = await stsOf(aws, keys).send(new GetCallerIdentityCommand({}))
    await route53Of(aws, keys).send(
      new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: '1' }),
    )

    expect(session).toMatchObject({
      SubjectFromWebIdentityToken: 'system:serviceaccount:garden:dns',
      Provider: 'https://issuer.example.com',
      Audience: 'trellis',
      Credentials: { Expiration: new Date(clock.now() + 3_600_000) },
    })
    expect(identity).toMatchObject({
      Account: '999988887777',
      Arn: 'arn:aws:sts::999988887777:assumed-role/trellis/session',
      UserId: session.AssumedRoleUser?.AssumedRoleId,
    })
    expect(aws.account('999988887777').snapshot().services).toHaveProperty('route53')
  })

  test('ends', async () => {
    const keys = keysOf((await assume(token(), { DurationSeconds: 900 })).Credentials)
    const list = () => route53Of(aws, keys).send(new ListHostedZonesCommand({}))
    await clock.advance(899_999)
    await expect(list()).resolves.toBeDefined()
    await clock.advance(1)
    expect(await failureOf(list())).toMatchObject({
      name: 'ExpiredToken',
      message: 'The security token included in the request is expired',
    })
  })

  test('the session requires its session token', async () => {
    const { sessionToken, ...keys } = keysOf((await assume(token())).Credentials)
    expect(sessionToken).toBeTypeOf('string')
    expect(await failureOf(stsOf(aws, keys).send(new GetCallerIdentityCommand({})))).toMatchObject({
      name: 'InvalidClientTokenId',
    })
  })

  test('the call log never contains the token', async () => {
    const secret = token()
    await assume(secret)
    expect(JSON.stringify(aws.calls.all())).not.toContain(secret)
    expect(aws.calls.all()[0]?.input).toMatchObject({ RoleArn: roleArn, WebIdentityToken: '***' })
  })
})

describe('a web identity token', () => {
  test.each<[string, () => string, string]>([
    ['that is not a JWT', () => 'opaque', 'InvalidIdentityTokenException'],
    ['without an expiry', () => token({ exp: undefined }), 'InvalidIdentityTokenException'],
    ['for another audience', () => token({ aud: 'other' }), 'InvalidIdentityTokenException'],
    ['that has expired', () => token({ exp: clock.now() / 1000 }), 'ExpiredTokenException'],
  ])('%s is refused', async (_, make, name) => {
    expect(await failureOf(assume(make()))).toMatchObject({ name, $metadata: { httpStatusCode: 400 } })
  })
})

describe('the input of AssumeRole', () => {
  test.each([
    [{ RoleArn: 'trellis-role-without-arn' }, 'trellis-role-without-arn is invalid'],
    [
      { RoleSessionName: 'a b' },
      "1 validation error detected: Value 'a b' at 'roleSessionName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]*",
    ],
    [
      { DurationSeconds: 10 },
      "1 validation error detected: Value '10' at 'durationSeconds' failed to satisfy constraint: Member must have value greater than or equal to 900",
    ],
    [
      { RoleSessionName: undefined },
      "1 validation error detected: Value null at 'roleSessionName' failed to satisfy constraint: Member must not be null",
    ],
  ])('%o is a validation error', async (input, message) => {
    expect(await failureOf(assume(token(), input))).toMatchObject({ name: 'ValidationError', message })
  })

  test('AssumeRole opens a session for a signed caller', async () => {
    aws.account().register({ accessKeyId: 'AKIAUSER', secretAccessKey: 'user' })
    const user = stsOf(aws, { accessKeyId: 'AKIAUSER', secretAccessKey: 'user' })
    const session = await user.send(new AssumeRoleCommand({ RoleArn: roleArn, RoleSessionName: 'session' }))
    const identity = await stsOf(aws, keysOf(session.Credentials)).send(new GetCallerIdentityCommand({}))
    expect(identity.Account).toBe('999988887777')
  })
})
