import { DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { DescribeFileSystemsCommand, EFSClient } from '@aws-sdk/client-efs'
import * as elb from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import { IAMClient, ListRolesCommand } from '@aws-sdk/client-iam'
import { ListHostedZonesCommand, Route53Client } from '@aws-sdk/client-route-53'
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import type { Aws } from '../aws-interface.ts'
import { createAws } from '../simulator.ts'
import { type ClientOptions, clientSettings, failureOf, stsOf } from '../testing/clients.ts'

type Settings = ReturnType<typeof clientSettings>
type Refused = readonly [code: string, status: number]

interface Words {
  readonly call: (settings: Settings) => Promise<unknown>
  readonly unknownKey: Refused
  readonly wrongSecret: Refused
  /** Absent: the call needs no permission. */
  readonly notAllowed?: Refused
  readonly expired: Refused
  readonly throttled: Refused
}

const common = {
  unknownKey: ['InvalidClientTokenId', 403],
  wrongSecret: ['SignatureDoesNotMatch', 403],
  notAllowed: ['AccessDenied', 403],
  expired: ['ExpiredToken', 403],
  throttled: ['Throttling', 400],
} as const

/** The codes of each service ("Common Errors" and "Error responses" in their API references). */
const services: Readonly<Record<string, Words>> = {
  EC2: {
    call: settings => new EC2Client(settings).send(new DescribeVpcsCommand({})),
    unknownKey: ['AuthFailure', 401],
    wrongSecret: ['AuthFailure', 401],
    notAllowed: ['UnauthorizedOperation', 403],
    expired: ['RequestExpired', 400],
    throttled: ['RequestLimitExceeded', 503],
  },
  IAM: { ...common, call: settings => new IAMClient(settings).send(new ListRolesCommand({})) },
  ELB: {
    ...common,
    call: settings =>
      new elb.ElasticLoadBalancingClient(settings).send(new elb.DescribeLoadBalancersCommand({})),
    throttled: ['ThrottlingException', 400],
  },
  ELBv2: {
    ...common,
    call: settings =>
      new elbv2.ElasticLoadBalancingV2Client(settings).send(new elbv2.DescribeLoadBalancersCommand({})),
    throttled: ['ThrottlingException', 400],
  },
  EFS: {
    call: settings => new EFSClient(settings).send(new DescribeFileSystemsCommand({})),
    unknownKey: ['UnrecognizedClientException', 403],
    wrongSecret: ['InvalidSignatureException', 403],
    notAllowed: ['AccessDeniedException', 403],
    expired: ['ExpiredTokenException', 403],
    throttled: ['ThrottlingException', 429],
  },
  'Route 53': {
    ...common,
    call: settings => new Route53Client(settings).send(new ListHostedZonesCommand({})),
  },
  S3: {
    ...common,
    call: settings => new S3Client(settings).send(new ListBucketsCommand({})),
    unknownKey: ['InvalidAccessKeyId', 403],
    expired: ['ExpiredToken', 400],
    throttled: ['SlowDown', 503],
  },
  STS: {
    call: settings => new STSClient(settings).send(new GetCallerIdentityCommand({})),
    unknownKey: ['InvalidClientTokenId', 403],
    wrongSecret: ['SignatureDoesNotMatch', 403],
    expired: ['ExpiredToken', 403],
    throttled: ['Throttling', 400],
  },
}

const expectRefusal = async (
  aws: Aws,
  { call }: Words,
  [name, status]: Refused,
  options: ClientOptions = {},
) =>
  expect(await failureOf(call(clientSettings(aws, options)))).toMatchObject({
    name,
    $metadata: { httpStatusCode: status },
  })

describe.each(Object.entries(services))('%s has its own error texts', (_, words) => {
  test('for an unknown key', () =>
    expectRefusal(createAws({ anyCredentials: false }), words, words.unknownKey))

  test('for a signature with another secret', async () => {
    const aws = createAws()
    aws.account().register({ accessKeyId: 'AKIAREAL', secretAccessKey: 'real' })
    const forged = { accessKeyId: 'AKIAREAL', secretAccessKey: 'forged' }
    await expectRefusal(aws, words, words.wrongSecret, forged)
  })

  test('for an expired session', async () => {
    const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
    const aws = createAws({ clock })
    const RoleArn = 'arn:aws:iam::123456789012:role/nodes'
    const { Credentials: session } = await stsOf(aws).send(
      new AssumeRoleCommand({ RoleArn, RoleSessionName: 'test', DurationSeconds: 900 }),
    )
    await clock.advance(900_000)
    await expectRefusal(aws, words, words.expired, {
      accessKeyId: String(session?.AccessKeyId),
      secretAccessKey: String(session?.SecretAccessKey),
      sessionToken: String(session?.SessionToken),
    })
  })

  test('for too many requests', () =>
    expectRefusal(createAws({ rates: { '*': { burst: 0, perSecond: 0 } } }), words, words.throttled))
})

const guarded = Object.entries(services).flatMap(([name, words]) =>
  words.notAllowed ? [[name, words, words.notAllowed] as const] : [],
)

test.each(guarded)(
  '%s has its own error text for an action that is not allowed',
  async (_, words, refused) => {
    const aws = createAws()
    aws.account().register({ accessKeyId: 'AKIANONE', secretAccessKey: 's', allow: [] })
    await expectRefusal(aws, words, refused, { accessKeyId: 'AKIANONE', secretAccessKey: 's' })
  },
)
