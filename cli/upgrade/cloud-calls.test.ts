import { expect, test } from 'vitest'
import { provider as aws } from '../../sandbox/providers/aws/provider.ts'
import { provider as openstack } from '../../sandbox/providers/openstack/provider.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { CloudHttpRequest } from '../../terraform-free-infra/cloud/http-sender.ts'
import { createCloudCalls } from './cloud-calls.ts'

const { signal } = new AbortController()

const begin = (statuses: readonly number[] = []) => {
  const clock = virtualClock(0)
  const sent: { readonly at: number; readonly url: string }[] = []
  const calls = createCloudCalls({
    providers: [aws, openstack],
    clock,
    send: async ({ url }) => {
      sent.push({ at: clock.now(), url })
      return { status: statuses[sent.length - 1] ?? 200, headers: {}, body: String(sent.length) }
    },
  })
  return { calls, clock, sent }
}

test.each([
  ['aws', 'GET', 'https://ec2.eu-west-1.amazonaws.com/?Action=TerminateInstances&InstanceId.1=i-1'],
  ['aws', 'POST', 'https://ec2.eu-west-1.amazonaws.com/?Action=DeleteVpc'],
  ['aws', 'GET', 'https://evil.example/?secret=x'],
  ['aws', 'GET', 'http://169.254.169.254/latest/meta-data'],
  ['openstack', 'GET', 'http://169.254.169.254/latest/meta-data'],
  ['openstack', 'POST', 'https://nova.example/v2.1/servers#/v3/auth/tokens'],
  ['openstack', 'POST', 'https://neutron.example/v2.0/networks?x=/v3/auth/tokens'],
  ['no-cloud', 'GET', 'https://evil.example/'],
] as const)('%s: %s %s is not sent', async (provider, method, url) => {
  const { calls, sent } = begin()
  const object = calls.forObject()
  const request = {
    method,
    url,
    headers: {},
    tls: {},
    ...(method === 'POST' && { body: 'Action=DescribeVpcs' }),
  }
  await expect(object.send({ provider, request }, signal)).rejects.toThrow('refused')
  expect(sent).toEqual([])
  expect(object.refused()).toHaveLength(1)
})

const ec2 = (action: string, more: Partial<CloudHttpRequest> = {}) => ({
  provider: 'aws',
  request: {
    method: 'POST' as const,
    url: 'https://ec2.eu-west-1.amazonaws.com/',
    headers: { authorization: 'AWS4 Credential=AKIA1/2026', 'x-amz-date': '1' },
    body: `Action=${action}&Version=1`,
    tls: {},
    ...more,
  },
})

test.each([
  ['DescribeVpcs', {}, true],
  ['CreateTags', {}, false],
  ['DescribeVpcs&Action=DeleteVpc', {}, false],
  ['DescribeVpcs', { headers: { 'X-Amz-Target': 'Service.CreateThing' } }, false],
  ['', { body: '{}', headers: { 'x-amz-target': 'Service.ListThings' } }, true],
  ['', { body: '{}', headers: { 'x-amz-target': 'Service.DeleteThing' } }, false],
  ['', { body: '' }, false],
  ['', { method: 'GET', body: '' }, true],
  ['DescribeVpcs', { method: 'DELETE' }, false],
] as const)('a request to AWS with %s and %j is a read: %s', async (action, more, isRead) => {
  const { calls, sent } = begin()
  const object = calls.forObject()
  const answer = object.send(ec2(action, more), signal)
  if (isRead) await answer
  else await expect(answer).rejects.toThrow('refused')
  expect(sent).toHaveLength(isRead ? 1 : 0)
  expect(object.refused()).toHaveLength(isRead ? 0 : 1)
})

test.each([
  ['POST', 'https://keystone/v3/auth/tokens', true],
  ['POST', 'https://neutron/v2.0/networks', false],
  ['GET', 'https://neutron/v2.0/networks', true],
] as const)('a request %s %s to OpenStack is a read: %s', async (method, url, isRead) => {
  const request = { method, url, headers: {}, tls: {} }
  const answer = begin().calls.forObject().send({ provider: 'openstack', request }, signal)
  await (isRead ? expect(answer).resolves.toBeDefined() : expect(answer).rejects.toThrow('refused'))
})

test('both versions get the same answer to equal requests, which differ in signatures', async () => {
  const { calls, clock, sent } = begin()
  const { send } = calls.forObject()
  const other = { authorization: 'AWS4 Credential=AKIA1/2026 other', 'x-amz-date': '2', 'User-Agent': 'x' }
  const answers = await Promise.all([
    send(ec2('DescribeVpcs'), signal),
    send(ec2('DescribeVpcs', { headers: other }), signal),
  ])
  expect(answers.map(({ body }) => body)).toEqual(['1', '1'])
  expect(calls.count()).toBe(1)
  const later = calls.forObject().send(ec2('DescribeVpcs'), signal)
  await clock.advance(1000)
  await later
  expect(sent).toHaveLength(2)
})

test('requests of another account or with other headers are different', async () => {
  const { calls, clock } = begin()
  const { send } = calls.forObject()
  const all = [
    {},
    { headers: { authorization: 'AWS4 Credential=AKIA2/2026' } },
    { headers: { authorization: 'AWS4 Credential=AKIA2/2026', 'x-amz-expected-bucket-owner': '1' } },
  ].map(more => send(ec2('DescribeVpcs', more), signal))
  await clock.advance(1000)
  await Promise.all(all)
  expect(calls.count()).toBe(3)
})

test('a failed request is sent again, and leaves the object unknown until it is answered', async () => {
  const { calls, clock } = begin([503, 200])
  const { send, hasUnanswered } = calls.forObject()
  await send(ec2('DescribeVpcs'), signal)
  expect(hasUnanswered()).toBe(true)
  const again = send(ec2('DescribeVpcs'), signal)
  await clock.advance(1000)
  await again
  expect(hasUnanswered()).toBe(false)
})

test('requests wait for the rate of their service and account', async () => {
  const { calls, clock, sent } = begin()
  const { send } = calls.forObject()
  const route53 = { method: 'GET' as const, body: '', url: 'https://route53.amazonaws.com/' }
  const all = [
    ...['A', 'B', 'C'].map(name => send(ec2(`Describe${name}`), signal)),
    ...['a', 'b'].map(name => send(ec2('', { ...route53, url: `${route53.url}${name}` }), signal)),
  ]
  await clock.advance(1000)
  await Promise.all(all)
  const times = (part: string) => sent.filter(({ url }) => url.includes(part)).map(({ at }) => at)
  expect(times('ec2')).toEqual([0, 100, 200])
  expect(times('route53')).toEqual([0, 500])
})
