import { expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { route53Account } from './testing/route53-account.ts'
import { recordOf, stepsOver } from './testing/steps.ts'

const roleARN = 'arn:aws:iam::123456789012:role/dns'

/** An unsigned JWT that expires after an hour of the simulator's time. */
const tokenUntil = (expires: number): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: 'https://garden.example.com', sub: 'dns', aud: 'sts.amazonaws.com' }
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ ...claims, exp: Math.floor(expires / 1000) })}.c2ln`
}

test('a workload identity creates one session for many steps, and a new one before it expires', async () => {
  const start = Date.now()
  const aws = shuffledAws()
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  const { reconcile, clock } = stepsOver(aws.requestHandler)
  await clock.advance(start - clock.now())
  const secret = { token: tokenUntil(start + 3_600_000), config: `roleARN: ${roleARN}` }
  const record = recordOf({ statusZone: zone })

  await reconcile(record, { secret })
  await reconcile(record, { secret })
  expect(account.actions()).toEqual([
    'AssumeRoleWithWebIdentity',
    'ListResourceRecordSets',
    'ChangeResourceRecordSets',
    'ListResourceRecordSets',
  ])

  await clock.advance(3_600_000)
  await reconcile(record, { secret })
  expect(account.actions().filter(action => action === 'AssumeRoleWithWebIdentity')).toHaveLength(2)
})

test('another token gets another session', async () => {
  const aws = shuffledAws()
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  const { reconcile } = stepsOver(aws.requestHandler)
  const record = recordOf({ statusZone: zone })
  for (const minutes of [50, 60]) {
    await reconcile(record, { secret: { token: tokenUntil(Date.now() + minutes * 60_000), roleARN } })
  }
  expect(account.actions().filter(action => action === 'AssumeRoleWithWebIdentity')).toHaveLength(2)
})

test('an expired token is refused with an error that does not repeat it', async () => {
  const aws = shuffledAws()
  const { reconcile } = stepsOver(aws.requestHandler)
  const token = tokenUntil(Date.now() - 60_000)
  const step = reconcile(recordOf({ statusZone: 'Z1' }), { secret: { token, roleARN } })
  await expect(step).rejects.toThrow(/^assuming the role arn:aws:iam::123456789012:role\/dns: ExpiredToken/)
  await expect(step).rejects.not.toThrow(token)
})

test.each([
  ['that of the object', { region: 'eu-west-1' }, { region: 'eu-central-1' }, 'eu-west-1'],
  ['that of the Secret', {}, { region: 'eu-central-1' }, 'eu-central-1'],
  ['that of the Secret in DNS spelling', {}, { AWS_REGION: 'eu-central-1' }, 'eu-central-1'],
  ['the default us-west-2', {}, {}, 'us-west-2'],
])('the region of the calls is %s', async (_, spec, data, region) => {
  const aws = shuffledAws()
  const zone = await route53Account(aws).createZone('example.com')
  const handler: AwsRequestHandler = aws.requestHandler
  const hosts: string[] = []
  const { reconcile } = stepsOver({
    handle: (request, options) => {
      hosts.push(request.hostname)
      return handler.handle(request, options)
    },
  })
  const token = tokenUntil(Date.now() + 3_600_000)
  await reconcile(recordOf({ spec, statusZone: zone }), { secret: { token, roleARN, ...data } })
  expect(hosts[0]).toBe(`sts.${region}.amazonaws.com`)
})
