import { CreateHostedZoneCommand, ListHostedZonesCommand } from '@aws-sdk/client-route-53'
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Aws } from '../aws-interface.ts'
import { addHostedZone } from '../route53/inventory.ts'
import { createAws } from '../simulator.ts'
import { failureOf, route53Of, stsOf } from '../testing/clients.ts'
import type { Listening } from './http.ts'

let aws: Aws
let server: Listening

beforeEach(async () => {
  aws = createAws()
  server = await aws.listen()
})
afterEach(() => server.close())

const scope = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=00`

const send = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${server.url}${path}`, init)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe('S3 over HTTP', () => {
  test('the SDK works with an endpoint and signatures', async () => {
    const keys = { accessKeyId: 'AKIAHTTP', secretAccessKey: 'http' }
    aws.account('111111111111').register(keys)
    const client = route53Of(aws, { ...keys, endpoint: server.url })
    await client.send(new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: 'a b+c' }))
    const zones = await client.send(new ListHostedZonesCommand({}))
    const identity = await stsOf(aws, { ...keys, endpoint: server.url }).send(
      new GetCallerIdentityCommand({}),
    )
    expect(zones.HostedZones?.[0]).toMatchObject({ Name: 'example.com.', CallerReference: 'a b+c' })
    expect(identity.Account).toBe('111111111111')
    client.destroy()
  })

  test('a dropped connection is dropped', async () => {
    aws.faults.add({ effect: { kind: 'drop' } })
    const client = route53Of(aws, { endpoint: server.url })
    expect(await failureOf(client.send(new ListHostedZonesCommand({})))).toMatchObject({ code: 'ECONNRESET' })
    client.destroy()
  })

  test.each<[title: string, path: string, init: RequestInit, status: number, code: string]>([
    [
      'a body that is no XML',
      '/2013-04-01/hostedzone',
      { method: 'POST', body: '<a', headers: { authorization: scope('route53') } },
      400,
      'MalformedInput',
    ],
    [
      'an external entity',
      '/2013-04-01/hostedzone',
      {
        method: 'POST',
        body: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><CreateHostedZoneRequest><Name>&x;</Name></CreateHostedZoneRequest>',
        headers: { authorization: scope('route53') },
      },
      400,
      'MalformedInput',
    ],
    [
      'a body without what it must have',
      '/2013-04-01/hostedzone',
      {
        method: 'POST',
        body: '<CreateHostedZoneRequest/>',
        headers: { authorization: scope('route53') },
      },
      400,
      'InvalidInput',
    ],
    [
      'a number that is none',
      '/2013-04-01/hostedzone?maxitems=many',
      { headers: { authorization: scope('route53') } },
      400,
      'InvalidInput',
    ],
    [
      'a path that is no operation',
      '/2013-04-01/nothing',
      { headers: { authorization: scope('route53') } },
      404,
      'InvalidAction',
    ],
    [
      'an unknown version',
      '/2012-12-12/hostedzone',
      { headers: { authorization: scope('route53') } },
      404,
      'InvalidAction',
    ],
    [
      'an unknown action',
      '/',
      {
        method: 'POST',
        body: new URLSearchParams({ Action: 'Nothing', Version: '2011-06-15' }),
        headers: { authorization: scope('sts') },
      },
      400,
      'InvalidAction',
    ],
    ['no signature', '/2013-04-01/hostedzone', {}, 403, 'MissingAuthenticationToken'],
    [
      'half a signature',
      '/2013-04-01/hostedzone',
      { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=AKIA' } },
      400,
      'IncompleteSignature',
    ],
    [
      'a body larger than the service takes',
      '/2013-04-01/hostedzone',
      { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1), headers: { authorization: scope('route53') } },
      413,
      'RequestEntityTooLarge',
    ],
    ['a service that is not here', '/', { headers: { authorization: scope('sqs') } }, 404, 'UnknownService'],
  ])('%s gets the response of AWS', async (_, path, init, status, code) => {
    const answer = await send(path, init)
    expect(answer.status).toBe(status)
    expect(answer.text).toMatch(
      new RegExp(`<Error><Type>Sender</Type><Code>${code}</Code><Message>[^<]+</Message>`),
    )
    expect(answer.text).toContain(`<RequestId>${answer.headers.get('x-amzn-requestid')}</RequestId>`)
    expect(answer.text).not.toMatch(/\n\s+at |node_modules|\.ts:/)
    aws.notBuilt.take()
  })

  test('a client of an unknown service gets an error in its own format', async () => {
    const answer = await send('/', {
      method: 'POST',
      body: '{}',
      headers: {
        authorization: scope('dynamodb'),
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.ListTables',
      },
    })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toEqual({
      __type: 'UnknownService',
      message: expect.stringMatching(/^The simulator has no service dynamodb; it has route53, /),
    })
    expect(aws.notBuilt.take()).toEqual(['dynamodb:DynamoDB_20120810.ListTables'])
  })

  test('the call log is at /_trellis/calls', async () => {
    await failureOf(route53Of(aws).send(new CreateHostedZoneCommand({ Name: '..', CallerReference: '1' })))
    const first = JSON.parse((await send('/_trellis/calls')).text)
    const deleted = await send('/_trellis/calls', { method: 'DELETE' })
    const second = JSON.parse((await send('/_trellis/calls')).text)
    expect(first.calls).toMatchObject([
      { service: 'route53', action: 'CreateHostedZone', outcome: 'error', errorCode: 'InvalidDomainName' },
    ])
    expect(deleted.status).toBe(204)
    expect(second).toEqual({ calls: [], dropped: 0, limit: 10_000 })
  })

  test('the contents of the default account are at /_trellis/account', async () => {
    addHostedZone(aws.account(), { name: 'saved.example', id: 'ZSAVED' })
    const { text } = await send('/_trellis/account')
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(aws.account().snapshot())))
    expect(text).toContain('ZSAVED')
  })

  test('faults are added and removed at /_trellis/faults', async () => {
    const order = (body: string) => send('/_trellis/faults', { method: 'POST', body })
    const made = await order(JSON.stringify({ action: 'ListHostedZones', effect: { kind: 'throttle' } }))
    const bad = await order(JSON.stringify({ effect: { kind: 'explode' } }))
    const none = await order('{')
    expect(made.status).toBe(201)
    expect([bad.status, none.status]).toEqual([400, 400])
    expect(await failureOf(route53Of(aws).send(new ListHostedZonesCommand({})))).toMatchObject({
      name: 'Throttling',
    })
    await order(JSON.stringify({ times: null, effect: { kind: 'drop' } }))
    await send('/_trellis/faults', { method: 'DELETE' })
    await expect(route53Of(aws).send(new ListHostedZonesCommand({}))).resolves.toBeDefined()
  })
})
