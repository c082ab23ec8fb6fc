import { afterEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock, virtualClock } from '../../shared/clock/clock.ts'
import { createSender, eventMessage, type HttpMessage, parseEvent } from '../../shared/events/events.ts'
import { createMetrics, serveFunctions } from '../../shared/runtime/runtime.ts'
import { readMessage, writeMessage } from './http-binding.ts'
import { loadManifests, ofFunctions, withManifests } from './manifests.ts'
import type { BrokerName } from './profile.ts'
import {
  cleanUp,
  deliverAll,
  event,
  manifests,
  now,
  onCleanUp,
  quiet,
  start,
  subscriber,
  wired,
} from './testing/harness.ts'

const never = new AbortController().signal

afterEach(cleanUp)

describe('Triggers and Services', () => {
  test('a Trigger that is applied later takes effect at once', async () => {
    const first = await subscriber(() => ({ status: 204 }))
    const { broker, kinds } = await start({
      manifests: manifests('retry: 0'),
      resolve: async () => first.url,
      clock: virtualClock(now),
    })
    const all = manifests('retry: 0')
    const isThere = (name: string) => name === 'dead'
    broker.apply(ofFunctions(all, isThere))
    broker.publish(wired, 'ns', 'default')
    expect(kinds()).toEqual(['received', 'unmatched'])
    const more = {
      name: 'more.yaml',
      text: `{ apiVersion: eventing.knative.dev/v1, kind: Trigger, metadata: { name: late, namespace: ns }, spec: { broker: default, subscriber: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: dead } } } }`,
    }
    broker.apply(withManifests(ofFunctions(all, isThere), [more]))
    broker.publish(wired, 'ns', 'default')
    await broker.idle()
    expect(kinds().slice(2)).toEqual(['received', 'attempt', 'delivered'])
    expect(first.received).toHaveLength(1)
  })

  test('a function that never starts does not block the closing of the broker', async () => {
    const asked = Promise.withResolvers<void>()
    const { broker } = await start({
      manifests: manifests('retry: 0'),
      resolve: () => {
        asked.resolve()
        return new Promise(() => {})
      },
    })
    broker.publish(wired, 'ns', 'default')
    await asked.promise
    await broker.close()
  })
})

describe('the ingress', () => {
  const post = async (url: string, { headers, body }: HttpMessage, method = 'POST') => {
    const init = method === 'GET' ? { method } : { method, headers: { ...headers }, body: Buffer.from(body) }
    const answer = await fetch(url, init)
    return [answer.status, await answer.text()]
  }

  test.each([
    ['binary', writeMessage(wired)],
    ['structured', writeMessage(wired, 'json')],
  ])('the ingress accepts an event in %s mode and delivers it with its arrival time', async (_, message) => {
    const fn = await subscriber(() => ({ status: 204 }))
    const { broker, kinds } = await start({
      manifests: manifests('retry: 0'),
      resolve: async () => fn.url,
      clock: virtualClock(now),
    })
    expect(await post(broker.ingress('ns', 'default'), message)).toEqual([202, ''])
    await broker.idle()
    expect(kinds()).toEqual(['received', 'attempt', 'delivered'])
    expect(fn.received[0]?.event.attributes.knativearrivaltime).toBe('2026-11-21T00:00:00.000Z')
    expect(fn.received[0]?.headers).toMatchObject({ prefer: 'reply', 'kn-namespace': 'ns' })
    expect(fn.received[0]?.event.attributes.knativebrokerttl).toBeUndefined()
    const sent = writeMessage(fn.received[0]?.event ?? wired)
    expect(parseEvent(sent.headers, sent.body)).toEqual(event)
  })

  test.each<[string, string, HttpMessage, string, number]>([
    ['no event', '/ns/default', { headers: {}, body: Buffer.from('{}') }, 'POST', 400],
    [
      'an event without id',
      '/ns/default',
      { headers: { ...writeMessage(wired).headers, 'ce-id': '' }, body: Buffer.from('{}') },
      'POST',
      400,
    ],
    ['another broker', '/ns/other', writeMessage(wired), 'POST', 404],
    ['no broker', '/', writeMessage(wired), 'POST', 404],
    ['a path that is too long', '/ns/default/x', writeMessage(wired), 'POST', 404],
    ['a GET', '/ns/default', writeMessage(wired), 'GET', 405],
    ['2 MiB', '/ns/default', { ...writeMessage(wired), body: Buffer.alloc(2 ** 21) }, 'POST', 413],
    [
      'an event that went round too often',
      '/ns/default',
      { ...writeMessage(wired), headers: { ...writeMessage(wired).headers, 'ce-knativebrokerttl': '1' } },
      'POST',
      400,
    ],
  ])('a change batch with %s is refused', async (_, path, message, method, status) => {
    const fn = await subscriber(() => ({ status: 204 }))
    const { broker } = await start({ manifests: manifests('retry: 0'), resolve: async () => fn.url })
    expect(await post(`${broker.url}${path}`, message, method)).toEqual([status, ''])
    await broker.idle()
    expect(fn.received).toEqual([])
    expect(broker.counts().received).toBe(0)
  })

  test('the ingress counts an event that no Trigger matches and delivers it to no function', async () => {
    const fn = await subscriber(() => ({ status: 204 }))
    const { broker } = await start({ manifests: manifests('retry: 0'), resolve: async () => fn.url })
    const unknown = readMessage(eventMessage({ ...event, kind: 'Teapot' }))
    expect(broker.publish(unknown, 'ns', 'default')).toBe('accepted')
    await broker.idle()
    expect(broker.counts()).toMatchObject({ received: 1, unmatched: 1, attempt: 0 })
    expect(fn.received).toEqual([])
  })
})

describe('a synchronous broker', () => {
  const asynchronous = 'messaging.knative.dev/async-handler: "true"'
  const sent = async (
    answer: (count: number) => number,
    annotations: string,
    profile: BrokerName = 'in-memory',
  ) => {
    const clock = virtualClock(now)
    const gate = Promise.withResolvers<void>()
    const fn = await subscriber(async count => {
      await gate.promise
      return { status: answer(count) }
    })
    const { broker } = await start({
      manifests: manifests('retry: 2, backoffDelay: PT1S', '', 0, annotations),
      resolve: async () => fn.url,
      clock,
      profile,
    })
    const stop = new AbortController()
    const options = { sink: broker.ingress('ns', 'default'), timeoutMs: 600_000, clock: systemClock }
    let answered = false
    const outcome = createSender(options)(event, stop.signal).finally(() => {
      answered = true
    })
    outcome.catch(() => undefined)
    await expect.poll(() => fn.received.length).toBe(1)
    return { broker, clock, fn, outcome, gate, stop, answered: () => answered }
  }

  test.each<[string, string, BrokerName]>([
    ['a Broker with the annotation', asynchronous, 'in-memory'],
    ['kafka', '', 'kafka'],
    ['rabbitmq', '', 'rabbitmq'],
  ])('%s is not synchronous: it responds before the function', async (_, annotations, profile) => {
    const { outcome, gate } = await sent(() => 204, annotations, profile)
    expect(await outcome).toEqual({ kind: 'accepted' })
    gate.resolve()
  })

  test('it responds after the function', async () => {
    const { outcome, gate, answered } = await sent(() => 204, '')
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(answered()).toBe(false)
    gate.resolve()
    expect(await outcome).toEqual({ kind: 'accepted' })
  })

  test.each([
    ['400', [400], { kind: 'retry', status: 500 }],
    ['503 to the end', [503, 503, 503], { kind: 'retry', status: 500 }],
    ['503 and then 204', [503, 204], { kind: 'accepted' }],
  ])('it responds after its retries: a function that returns %s', async (_, statuses, expected) => {
    const { outcome, gate, clock, broker } = await sent(count => statuses[count - 1] ?? 204, '')
    gate.resolve()
    await deliverAll(clock, broker)
    expect(await outcome).toMatchObject(expected)
    expect(broker.counts().attempt).toBe(statuses.length)
  })

  test('it aborts the delivery if the client disconnects', async () => {
    const { outcome, stop, broker, gate } = await sent(() => 503, '')
    stop.abort(new Error('the bridge gives up'))
    await expect(outcome).rejects.toThrow('the bridge gives up')
    await broker.idle()
    gate.resolve()
    expect(broker.counts()).toMatchObject({ delivered: 0, attempt: 0 })
  })
})

test('the broker delivers an event from the sender to a function through the cluster manifests', async () => {
  const clock: Clock = systemClock
  const handled: unknown[] = []
  const host = await serveFunctions({
    name: 'aws-dnsrecord',
    handle: async received => {
      handled.push(received)
      return { kind: 'recorded' }
    },
    accepts: ({ kind, provider }) => kind === 'DNSRecord' && provider === 'aws-route53',
    settings: {
      address: '127.0.0.1',
      port: 0,
      maxConcurrency: 0,
      drainMs: 1000,
    },
    metrics: createMetrics(),
    log: quiet,
    clock,
  })
  onCleanUp(() => host.close())
  const asked: string[] = []
  const { broker } = await start({
    manifests: await loadManifests([new URL('../../knative/base', import.meta.url).pathname]),
    resolve: async (name, namespace) => {
      asked.push(`${namespace}/${name}`)
      return host.url
    },
  })
  const send = createSender({ sink: broker.ingress('trellis', 'default'), timeoutMs: 5000, clock })
  expect(await send(event, never)).toEqual({ kind: 'accepted' })
  expect(await send({ ...event, provider: 'google-clouddns' }, never)).toEqual({ kind: 'accepted' })
  await broker.idle()
  expect(handled).toEqual([event])
  expect(asked).toEqual(['trellis/aws-dnsrecord'])
  expect(broker.counts()).toMatchObject({ received: 2, unmatched: 1, delivered: 1, 'dead-letter': 0 })
})
