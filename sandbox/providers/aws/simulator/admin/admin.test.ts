import { DescribeImagesCommand, DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { CreateHostedZoneCommand, ListHostedZonesCommand } from '@aws-sdk/client-route-53'
import { GetCallerIdentityCommand, GetSessionTokenCommand } from '@aws-sdk/client-sts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import type { Aws } from '../aws-interface.ts'
import type { Listening } from '../serve/http.ts'
import { createAws } from '../simulator.ts'
import { clientSettings, failureOf, route53Of, stsOf } from '../testing/clients.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
let aws: Aws
let server: Listening

beforeEach(async () => {
  aws = createAws({ clock: virtualClock(start) })
  server = await aws.listen()
})
afterEach(() => server.close())

const admin = async (request: string, body?: unknown) => {
  const [method = '', path] = request.split(' ')
  const response = await fetch(`${server.url}/_trellis${path}`, {
    method,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const zones = async () => (await route53Of(aws).send(new ListHostedZonesCommand({}))).HostedZones ?? []
const failures = [{ code: 'InsufficientFreeAddressesInSubnet' }]

describe('the admin endpoint', () => {
  test('lists its routes', async () => {
    const { body } = await admin('GET /')
    expect(body.routes).toContain('GET /_trellis/calls')
    expect(await admin('GET /nothing')).toMatchObject({ status: 404, body: { routes: body.routes } })
    expect(await admin('PATCH /calls')).toEqual({
      status: 405,
      body: { error: expect.stringMatching(/^This path takes (?:GET|DELETE), (?:GET|DELETE)\.$/) },
    })
  })

  test('saves an account and restores it', async () => {
    await route53Of(aws).send(new CreateHostedZoneCommand({ Name: 'saved.example', CallerReference: '1' }))
    const { body: saved } = await admin('GET /account')
    expect((await admin('DELETE /account')).status).toBe(204)
    expect(await zones()).toEqual([])
    expect((await admin('PUT /account', saved)).status).toBe(204)
    expect((await zones()).map(zone => zone.Name)).toEqual(['saved.example.'])
    expect((await admin('GET /accounts')).body).toEqual({ accounts: ['123456789012'] })
    expect((await admin('GET /accounts/123456789012')).body).toEqual(saved)
    expect((await admin('DELETE /accounts/123456789012')).status).toBe(204)
    expect(await zones()).toEqual([])
    expect((await admin('PUT /accounts/123456789012', saved)).status).toBe(204)
    expect(await zones()).toHaveLength(1)
  })

  test('accepts the format of an older version', async () => {
    const services = { 'ec2/eu-west-1': { prepared: true } }
    expect((await admin('PUT /account', { id: '123456789012', services })).status).toBe(204)
    const { Vpcs } = await new EC2Client(clientSettings(aws)).send(new DescribeVpcsCommand({}))
    expect(Vpcs).toEqual([])
  })

  test('moves the clock forward', async () => {
    expect((await admin('GET /clock')).body).toEqual({ now: '2026-01-01T00:00:00.000Z' })
    expect((await admin('POST /clock', { milliseconds: 3_600_000 })).body).toEqual({
      now: '2026-01-01T01:00:00.000Z',
    })
    await stsOf(aws).send(new GetCallerIdentityCommand({}))
    expect(aws.calls.all()[0]?.time).toBe(start + 3_600_000)
  })

  test('lists unsupported features that were requested', async () => {
    await failureOf(stsOf(aws).send(new GetSessionTokenCommand({})))
    expect((await admin('GET /not-built')).body).toEqual({ notBuilt: ['sts:GetSessionToken'] })
    expect((await admin('DELETE /not-built')).status).toBe(204)
    expect((await admin('GET /not-built')).body).toEqual({ notBuilt: [] })
  })

  test('adds zones, images and keys to an account, and lets NAT gateways and IPv6 blocks fail', async () => {
    const image = { region: 'eu-west-1', id: 'ami-0aaaaaaaaaaaaaaa1', name: 'mine', architecture: 'arm64' }
    const keys = { accessKeyId: 'AKIATWO', secretAccessKey: 'two' }
    const made = await Promise.all([
      admin('POST /hosted-zones', { name: 'given.example', id: 'ZGIVEN' }),
      admin('POST /images', image),
      admin('POST /nat-gateway-failures', { region: 'eu-west-1', failures }),
      admin('POST /ipv6-block-failures', {
        region: 'eu-west-1',
        failures: [{ of: 'vpc', message: 'No range' }],
      }),
      admin('POST /keys', { ...keys, account: '222222222222', user: 'two' }),
    ])
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect((await zones()).map(zone => zone.Id)).toEqual(['/hostedzone/ZGIVEN'])
    const { Images } = await new EC2Client(clientSettings(aws)).send(
      new DescribeImagesCommand({ Owners: ['self'] }),
    )
    expect(Images).toMatchObject([{ ImageId: image.id, Architecture: 'arm64' }])
    expect(await stsOf(aws, keys).send(new GetCallerIdentityCommand({}))).toMatchObject({
      Arn: 'arn:aws:iam::222222222222:user/two',
    })
    const snapshot = JSON.stringify(aws.account().snapshot())
    expect(snapshot).toContain('InsufficientFreeAddressesInSubnet')
    expect(snapshot).toContain('No range')
  })

  test.each<[request: string, body: unknown, error: RegExp]>([
    ['PUT /account', '{', /^The body is no JSON\.$/],
    ['PUT /account', [], /^expected an account, found list$/],
    ['PUT /account', { id: '1', services: {} }, /^id: expected 12 digits$/],
    ['PUT /account', { id: '111111111111', services: {} }, /^id: this is account 111111111111, not 123/],
    [
      'PUT /account',
      { id: '123456789012', services: { sqs: {} } },
      /^services\.sqs: there is no such service/,
    ],
    [
      'PUT /account',
      { id: '123456789012', services: { ec2: {} } },
      /^services\.ec2: there is no such service/,
    ],
    [
      'PUT /account',
      { id: '123456789012', services: { 'ec2/eu-west-1': { rows: { vpcs: [] } } } },
      /^services\.ec2\/eu-west-1\.rows\.vpcs: expected object, found list$/,
    ],
    ...[
      ['ec2/eu-west-1', { rows: { vpcs: { 'vpc-1': {} } } }, 'Describe'],
      ['ec2/eu-west-1', { rows: { subnets: { 'subnet-1': null } } }, 'Describe'],
      ['ec2/eu-west-1', { rows: { instances: { 'i-1': 'x' } } }, 'Describe'],
      ['s3', { buckets: [null] }, 'ListBuckets'],
      ['s3', { buckets: [{ name: 'a', region: 'eu-west-1', createdAt: 0, objects: [1] }] }, 'List'],
      ['route53', { zones: ['x'] }, 'List'],
      ['route53', { zones: [{ id: 'Z1', name: 'a.', callerReference: '', recordSets: [0] }] }, 'Get'],
      ['iam', { roles: { '@a': { name: 'a' } } }, 'List'],
      ['elasticfilesystem/eu-west-1', { fileSystems: [7] }, 'Describe'],
      ['elb/eu-west-1', { loadBalancers: [1] }, 'Describe'],
    ].map(([key, state, operation]): [string, unknown, RegExp] => [
      'PUT /account',
      { id: '123456789012', services: { [String(key)]: state } },
      new RegExp(`^services\\.${key}: ${operation}\\w* cannot read it: `),
    ]),
    ['GET /accounts/one', undefined, /^an account is named by 12 digits$/],
    ['POST /clock', { milliseconds: -1 }, /^milliseconds: /],
    ['POST /clock', { milliseconds: Number.MAX_SAFE_INTEGER }, /^milliseconds: .* year 9000$/],
    ['POST /clock', 'soon', /no JSON/],
    ['POST /faults', { effect: { kind: 'explode' } }, /^effect\.kind: /],
    [
      'POST /faults',
      { service: 'sqs', effect: { kind: 'drop' } },
      /^service: there is no sqs; there are route53/,
    ],
    ['POST /faults', { action: 'Explode', effect: { kind: 'drop' } }, /^action: /],
    ['POST /hosted-zones', { name: '..', id: 'Z1' }, /^name: /],
    ['POST /hosted-zones', { name: 'a.example', id: '1' }, /^id: expected Z/],
    [
      'POST /images',
      { region: 'eu-west-1', id: 'ami-1', name: 'a', architecture: 'arm64' },
      /^id: expected ami-/,
    ],
    ['POST /images', { region: 'mars', id: 'ami-0aaaaaaa', name: 'a', architecture: 'arm64' }, /^region: /],
    ['POST /nat-gateway-failures', { region: 'eu-west-1', failures: [] }, /^failures: /],
    ['POST /ipv6-block-failures', { region: 'eu-west-1', failures: [{ of: 'table' }] }, /^failures\.0\.of: /],
    ['POST /keys', { accessKeyId: '', secretAccessKey: 'x' }, /^accessKeyId: /],
  ])('%s with %j is refused with the problem', async (request, body, error) => {
    const before = await admin('GET /account')
    expect(await admin(request, body)).toEqual({
      status: 400,
      body: { error: expect.stringMatching(error) },
    })
    expect(await admin('GET /account')).toEqual(before)
  })

  test('refuses a zone with an existing id', async () => {
    await admin('POST /hosted-zones', { name: 'given.example', id: 'ZGIVEN' })
    expect(await admin('POST /hosted-zones', { name: 'other.example', id: 'ZGIVEN' })).toMatchObject({
      status: 400,
      body: { error: 'id: account 123456789012 has a zone ZGIVEN' },
    })
  })
})
