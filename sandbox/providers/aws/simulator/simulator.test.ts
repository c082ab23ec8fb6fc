import { CreateVpcCommand, DescribeCustomerGatewaysCommand, EC2Client } from '@aws-sdk/client-ec2'
import {
  CreateFileSystemCommand,
  DescribeReplicationConfigurationsCommand,
  EFSClient,
} from '@aws-sdk/client-efs'
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  GetHealthCheckCommand,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  type Route53Client,
} from '@aws-sdk/client-route-53'
import { GetCallerIdentityCommand, GetSessionTokenCommand } from '@aws-sdk/client-sts'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import type { Aws } from './aws-interface.ts'
import { accountRates, createAws } from './simulator.ts'
import { clientSettings, failureOf, route53Of, stsOf } from './testing/clients.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const listZones = (client: Route53Client) => client.send(new ListHostedZonesCommand({}))
const createZone = async (client: Route53Client, Name = 'example.com') => {
  const made = await client.send(new CreateHostedZoneCommand({ Name, CallerReference: Name }))
  return String(made.HostedZone?.Id)
}

describe('accounts', () => {
  test('any credentials belong to the default account', async () => {
    const aws = createAws({ defaultAccount: '111122223333' })
    const identity = await stsOf(aws, { accessKeyId: 'whatever' }).send(new GetCallerIdentityCommand({}))
    expect(identity).toMatchObject({ Account: '111122223333', Arn: 'arn:aws:iam::111122223333:user/trellis' })
  })

  test('each account sees only its own zones', async () => {
    const aws = createAws()
    aws.account('222222222222').register({ accessKeyId: 'AKIATWO', secretAccessKey: 'two', user: 'dns' })
    const one = route53Of(aws)
    const two = route53Of(aws, { accessKeyId: 'AKIATWO', secretAccessKey: 'two' })
    await createZone(two, 'two.example.com')
    expect((await listZones(one)).HostedZones).toEqual([])
    expect((await listZones(two)).HostedZones?.map(zone => zone.Name)).toEqual(['two.example.com.'])
  })

  test('accounts can be restored from a snapshot, which is JSON', async () => {
    const aws = createAws()
    const client = route53Of(aws)
    await createZone(client)
    const snapshot = JSON.parse(JSON.stringify(aws.account().snapshot()))
    await createZone(client, 'later.example.com')
    aws.account().restore(snapshot)
    const zones = await listZones(client)
    const again = createAws()
    again.account().restore(snapshot)

    expect(zones.HostedZones?.map(zone => zone.Name)).toEqual(['example.com.'])
    expect((await listZones(route53Of(again))).HostedZones).toEqual(zones.HostedZones)
  })

  test('changing a response does not change the state of an account', async () => {
    const aws = createAws()
    const client = route53Of(aws)
    await createZone(client)
    const first = await listZones(client)
    first.HostedZones?.pop()
    expect((await listZones(client)).HostedZones).toHaveLength(1)
  })
})

describe('credentials', () => {
  const registered = { accessKeyId: 'AKIAKNOWN', secretAccessKey: 'right' }

  test('a registered key must sign with its secret', async () => {
    const aws = createAws()
    aws.account().register(registered)
    await expect(listZones(route53Of(aws, registered))).resolves.toMatchObject({ HostedZones: [] })
    expect(
      await failureOf(listZones(route53Of(aws, { ...registered, secretAccessKey: 'wrong' }))),
    ).toMatchObject({ name: 'SignatureDoesNotMatch', $metadata: { httpStatusCode: 403 } })
  })

  test('an unknown key is refused if only registered keys are accepted', async () => {
    const aws = createAws({ anyCredentials: false })
    aws.account().register(registered)
    const failure = await failureOf(listZones(route53Of(aws)))
    expect(failure).toMatchObject({
      name: 'InvalidClientTokenId',
      message: 'The security token included in the request is invalid.',
      $metadata: { httpStatusCode: 403 },
    })
    await expect(listZones(route53Of(aws, registered))).resolves.toBeDefined()
    aws.account().revoke(registered.accessKeyId)
    expect(await failureOf(listZones(route53Of(aws, registered)))).toMatchObject({
      name: 'InvalidClientTokenId',
    })
  })

  test('a key can make only the calls that it is allowed', async () => {
    const aws = createAws()
    aws.account().register({ ...registered, user: 'reader', allow: ['route53:List*'] })
    const client = route53Of(aws, registered)
    await expect(listZones(client)).resolves.toBeDefined()
    await expect(stsOf(aws, registered).send(new GetCallerIdentityCommand({}))).resolves.toBeDefined()
    expect(await failureOf(client.send(new DeleteHostedZoneCommand({ Id: '/hostedzone/Z1' })))).toMatchObject(
      {
        message: expect.stringContaining(
          'perform: route53:DeleteHostedZone on resource: arn:aws:route53:::hostedzone/Z1 because',
        ),
      },
    )
    expect(await failureOf(createZone(client))).toMatchObject({
      name: 'AccessDenied',
      message:
        'User: arn:aws:iam::123456789012:user/reader is not authorized to perform: route53:CreateHostedZone because no identity-based policy allows the route53:CreateHostedZone action',
      $metadata: { httpStatusCode: 403 },
    })
  })
})

describe('faults', () => {
  test('a fault fails only the n-th call of an action', async () => {
    const aws = createAws()
    const client = route53Of(aws)
    aws.faults.add({
      service: 'route53',
      action: 'ListHostedZones',
      nth: 2,
      effect: { kind: 'error', code: 'InternalFailure', message: 'later', status: 500 },
    })
    await listZones(client)
    await stsOf(aws).send(new GetCallerIdentityCommand({}))
    expect(await failureOf(listZones(client))).toMatchObject({
      name: 'InternalFailure',
      message: 'later',
      $metadata: { httpStatusCode: 500 },
    })
    await listZones(client)
    expect(aws.calls.of('route53:ListHostedZones').map(call => call.outcome)).toEqual([
      'success',
      'error',
      'success',
    ])
    expect(aws.faults.pending()).toEqual([])
  })

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('connections dropped %s a call takes effect leave %i zones behind', async (when, zones) => {
    const aws = createAws()
    const client = route53Of(aws)
    aws.faults.add({ action: 'CreateHostedZone', when, effect: { kind: 'drop' } })
    expect(await failureOf(createZone(client))).toMatchObject({ code: 'ECONNRESET' })
    expect((await listZones(client)).HostedZones).toHaveLength(zones)
    expect(aws.calls.all()[0]).toMatchObject({ outcome: 'dropped', status: undefined })
  })

  test('a fault throttles as Route 53 does', async () => {
    const aws = createAws()
    aws.faults.add({ service: 'route53', times: null, effect: { kind: 'throttle' } })
    expect(await failureOf(listZones(route53Of(aws)))).toMatchObject({
      name: 'Throttling',
      message: 'Rate exceeded',
      $metadata: { httpStatusCode: 400 },
    })
    aws.faults.clear()
    await expect(listZones(route53Of(aws))).resolves.toBeDefined()
  })

  test('the SDK retries after a fault as on AWS', async () => {
    const aws = createAws()
    aws.faults.add({ action: 'ListHostedZones', effect: { kind: 'drop' } })
    const listed = await listZones(route53Of(aws, { maxAttempts: 2 }))
    expect(listed.$metadata.attempts).toBe(2)
  })

  test('a fault delays a response by the clock, and the caller can abort', async () => {
    const clock = virtualClock(start)
    const aws = createAws({ clock })
    aws.faults.add({ times: 2, effect: { kind: 'delay', milliseconds: 5000 } })
    const slow = listZones(route53Of(aws))
    while (clock.pending().length === 0) await clock.advance(0)
    await clock.advance(5000)
    await expect(slow).resolves.toBeDefined()

    const gone = new AbortController()
    const given = route53Of(aws).send(new ListHostedZonesCommand({}), { abortSignal: gone.signal })
    while (clock.pending().length === 0) await clock.advance(0)
    gone.abort()
    expect(await failureOf(given)).toMatchObject({ name: 'AbortError' })
    expect(clock.pending()).toEqual([])
  })

  test('an invalid fault is refused', () => {
    expect(() => createAws().faults.add({ nth: 0, effect: { kind: 'drop' } })).toThrow(/nth/)
  })
})

describe('throttling', () => {
  test('a rate allows the calls that the bucket holds, and the clock refills it', async () => {
    const clock = virtualClock(start)
    const aws = createAws({ clock, rates: accountRates })
    const client = route53Of(aws)
    const outcomes = async (count: number) => {
      const names: string[] = []
      for (let index = 0; index < count; index++) {
        names.push(
          await listZones(client).then(
            () => 'success',
            (error: Error) => error.name,
          ),
        )
      }
      return names
    }
    expect(await outcomes(6)).toEqual([...Array(5).fill('success'), 'Throttling'])
    await clock.advance(400)
    expect(await outcomes(3)).toEqual(['success', 'success', 'Throttling'])
  })
})

describe('the call log', () => {
  test('the log has the action, the input, the outcome and the time of each call', async () => {
    const clock = virtualClock(start)
    const aws = createAws({ clock })
    const client = route53Of(aws, { accessKeyId: 'AKIALOG' })
    await clock.advance(1000)
    await failureOf(client.send(new ListResourceRecordSetsCommand({ HostedZoneId: 'ZNONE', MaxItems: 5 })))
    expect(aws.calls.all()).toEqual([
      {
        service: 'route53',
        action: 'ListResourceRecordSets',
        region: 'us-east-1',
        accountId: '123456789012',
        accessKeyId: 'AKIALOG',
        input: { HostedZoneId: 'ZNONE', MaxItems: 5 },
        outcome: 'error',
        errorCode: 'NoSuchHostedZone',
        status: 404,
        time: start + 1000,
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        notBuilt: undefined,
      },
    ])
    aws.calls.clear()
    expect(aws.calls.all()).toEqual([])
  })

  test('the log retains the newest calls and reports the number of dropped ones', async () => {
    const aws = createAws({ keptCalls: 20 })
    const client = stsOf(aws)
    for (let call = 0; call < 23; call++) await client.send(new GetCallerIdentityCommand({}))
    expect([aws.calls.all().length, aws.calls.dropped()]).toEqual([20, 3])
    await listZones(route53Of(aws))
    expect(aws.calls.all().at(-1)).toMatchObject({ action: 'ListHostedZones' })
    expect([aws.calls.of('sts:GetCallerIdentity').length, aws.calls.dropped()]).toEqual([19, 4])
    aws.calls.clear()
    expect([aws.calls.all().length, aws.calls.dropped()]).toEqual([0, 0])
  })
})

describe('unsupported features', () => {
  const notSupported = (what: string) => `The simulator does not support ${what}.`
  test.each<[title: string, call: (aws: Aws) => Promise<unknown>, failure: object, met: string]>([
    [
      'an operation of EC2',
      aws => new EC2Client(clientSettings(aws)).send(new DescribeCustomerGatewaysCommand({})),
      {
        name: 'InvalidAction',
        message: 'The action DescribeCustomerGateways is not valid for this web service.',
        $metadata: { httpStatusCode: 400 },
      },
      'ec2:DescribeCustomerGateways',
    ],
    [
      'a parameter of EC2',
      aws =>
        new EC2Client(clientSettings(aws)).send(
          new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', Ipv6Pool: 'pool' }),
        ),
      { name: 'UnsupportedOperation', $metadata: { httpStatusCode: 400 } },
      'ec2:CreateVpc: the parameter Ipv6Pool',
    ],
    [
      'an operation of a service with a query protocol',
      aws => stsOf(aws).send(new GetSessionTokenCommand({})),
      {
        name: 'InvalidAction',
        message: 'Could not find operation GetSessionToken for version 2011-06-15',
        $metadata: { httpStatusCode: 400 },
      },
      'sts:GetSessionToken',
    ],
    [
      'an operation of a service with a REST protocol',
      aws => route53Of(aws).send(new GetHealthCheckCommand({ HealthCheckId: 'h' })),
      {
        name: 'NotImplemented',
        message: notSupported('the operation GetHealthCheck'),
        $metadata: { httpStatusCode: 501 },
      },
      'route53:GetHealthCheck',
    ],
    [
      'an operation of a service with a JSON protocol',
      aws => new EFSClient(clientSettings(aws)).send(new DescribeReplicationConfigurationsCommand({})),
      {
        name: 'NotImplemented',
        message: notSupported('the operation DescribeReplicationConfigurations'),
        $metadata: { httpStatusCode: 501 },
      },
      'elasticfilesystem:DescribeReplicationConfigurations',
    ],
    [
      'a parameter of a service with a JSON protocol',
      aws => new EFSClient(clientSettings(aws)).send(new CreateFileSystemCommand({ Backup: true })),
      {
        name: 'NotImplemented',
        message: notSupported('the parameter Backup'),
        $metadata: { httpStatusCode: 501 },
      },
      'elasticfilesystem:CreateFileSystem: the parameter Backup',
    ],
  ])('the error for %s names the feature, and the simulator records it', async (_, call, failure, met) => {
    const aws = createAws()
    expect(await failureOf(call(aws))).toMatchObject(failure)
    aws.calls.clear()
    expect(aws.notBuilt.take()).toEqual([met])
    expect(aws.notBuilt.all()).toEqual([])
  })
})

describe('two concurrent changes', () => {
  test('two changes leave one record', async () => {
    const aws = createAws()
    const client = route53Of(aws)
    const HostedZoneId = await createZone(client)
    const create = () =>
      client.send(
        new ChangeResourceRecordSetsCommand({
          HostedZoneId,
          ChangeBatch: {
            Changes: [
              {
                Action: 'CREATE',
                ResourceRecordSet: {
                  Name: 'a.example.com',
                  Type: 'A',
                  TTL: 1,
                  ResourceRecords: [{ Value: '1.1.1.1' }],
                },
              },
            ],
          },
        }),
      )
    const outcomes = await Promise.allSettled([create(), create()])
    const listed = await client.send(new ListResourceRecordSetsCommand({ HostedZoneId }))
    expect(outcomes.map(outcome => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(listed.ResourceRecordSets).toHaveLength(3)
  })
})
