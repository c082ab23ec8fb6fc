import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '../../shared/clock/clock.ts'
import { type VirtualClock, virtualClock } from '../../shared/clock/virtual-clock.ts'
import { buildEvent } from '../../shared/events/build.ts'
import {
  type CloudEvent,
  decodeHttp,
  encodeBinary,
  encodeStructured,
  type HttpMessage,
} from '../../shared/events/cloud-event.ts'
import { createSender } from '../../shared/events/send.ts'
import { fromCloudEvent, toCloudEvent } from '../../shared/events/wire.ts'
import type { Log } from '../../shared/lifecycle/actuator.ts'
import { serveFunction } from '../../shared/runtime/host.ts'
import { createMetrics } from '../../shared/runtime/metrics.ts'
import { type BrokerOptions, createBroker } from './broker.ts'
import type { BrokerEvent } from './broker-event.ts'
import { loadManifests, parseManifests } from './manifests.ts'
import type { ProfileName } from './profile.ts'

const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const never = new AbortController().signal
const now = Date.parse('2026-11-21T00:00:00Z')

const event = buildEvent({
  object: {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecord',
    metadata: { name: 'api', namespace: 'shoot--foo--bar', uid: 'u-1', generation: 1, resourceVersion: '7' },
    spec: { type: 'aws-route53' },
  },
  kind: 'DNSRecord',
  operation: 'reconcile',
  cause: 'c',
  reason: 'annotation',
  attempt: 0,
  source: '/seeds/s',
  now: 0,
})
const wired = toCloudEvent(event)

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: Uint8Array | string
}
interface Received {
  readonly headers: IncomingHttpHeaders
  readonly event: CloudEvent
}

/** A subscriber whose answers follow from the count of the request, from 1. */
const subscriber = async (answer: (count: number, received: Received) => Answer | Promise<Answer>) => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const one = {
        headers: request.headers,
        event: decodeHttp(request.headersDistinct, Buffer.concat(chunks)),
      }
      received.push(one)
      const { status, headers = {}, body = '' } = await answer(received.length, one)
      response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
}

const manifests = (delivery: string, trigger = '', concurrency = 0) =>
  parseManifests([
    {
      name: 'test.yaml',
      text: `
apiVersion: eventing.knative.dev/v1
kind: Broker
metadata: { name: default, namespace: ns }
spec: { delivery: { ${delivery} } }
---
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: dns, namespace: ns, annotations: { kafka.eventing.knative.dev/delivery.order: ordered } }
spec:
  broker: default
  filter: { attributes: { kind: DNSRecord } }
  subscriber: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: fn } }
  ${trigger}
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: fn, namespace: ns }
spec: { template: { spec: { containerConcurrency: ${concurrency}, containers: [{ image: x }] } } }
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: dead, namespace: ns }
spec: { template: { spec: { containers: [{ image: x }] } } }
`,
    },
  ])

const start = async (options: Partial<BrokerOptions> & Pick<BrokerOptions, 'manifests' | 'resolve'>) => {
  const seen: BrokerEvent[] = []
  const broker = await createBroker({ clock: systemClock, log: quiet, ...options })
  broker.onEvent(one => seen.push(one))
  cleanups.push(() => broker.close())
  const kinds = () => seen.map(({ kind }) => kind)
  const waits = () =>
    seen.flatMap(one => (one.kind === 'attempt' && one.retryInMs !== undefined ? [one.retryInMs] : []))
  return { broker, seen, kinds, waits }
}

/** Moves the clock on until the broker has nothing left to do. */
const settle = async (clock: VirtualClock, broker: { idle(): Promise<void> }): Promise<void> => {
  let idle = false
  const done = broker.idle().then(() => {
    idle = true
  })
  while (!idle) {
    const next = clock.pending()[0]
    // Real sockets need real turns; only waits between attempts (seconds) are skipped, not the request's timeout.
    await clock.advance(next !== undefined && next - clock.now() <= 60_000 ? next - clock.now() : 0)
  }
  await done
}

describe('the ingress', () => {
  const post = async (url: string, { headers, body }: HttpMessage, method = 'POST') => {
    const init = method === 'GET' ? { method } : { method, headers: { ...headers }, body: Buffer.from(body) }
    const answer = await fetch(url, init)
    return [answer.status, await answer.text()]
  }

  it.each([
    ['binary', encodeBinary(wired)],
    ['structured', encodeStructured(wired)],
  ])('accepts an event in %s mode and delivers it, marked with its arrival', async (_, message) => {
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
    expect(fromCloudEvent(fn.received[0]?.event ?? wired)).toEqual(event)
  })

  it.each<[string, string, HttpMessage, string, number]>([
    ['no event', '/ns/default', { headers: {}, body: Buffer.from('{}') }, 'POST', 400],
    [
      'an event without id',
      '/ns/default',
      { headers: { ...encodeBinary(wired).headers, 'ce-id': '' }, body: Buffer.from('{}') },
      'POST',
      400,
    ],
    ['another broker', '/ns/other', encodeBinary(wired), 'POST', 404],
    ['no broker', '/', encodeBinary(wired), 'POST', 404],
    ['a path that is too long', '/ns/default/x', encodeBinary(wired), 'POST', 404],
    ['a GET', '/ns/default', encodeBinary(wired), 'GET', 405],
    ['2 MiB', '/ns/default', { ...encodeBinary(wired), body: Buffer.alloc(2 ** 21) }, 'POST', 413],
    [
      'an event that went round too often',
      '/ns/default',
      { ...encodeBinary(wired), headers: { ...encodeBinary(wired).headers, 'ce-knativebrokerttl': '1' } },
      'POST',
      400,
    ],
  ])('refuses %s', async (_, path, message, method, status) => {
    const fn = await subscriber(() => ({ status: 204 }))
    const { broker } = await start({ manifests: manifests('retry: 0'), resolve: async () => fn.url })
    expect(await post(`${broker.url}${path}`, message, method)).toEqual([status, ''])
    await broker.idle()
    expect(fn.received).toEqual([])
    expect(broker.counts().received).toBe(0)
  })

  it('counts an event that no Trigger wants and gives it to nobody', async () => {
    const fn = await subscriber(() => ({ status: 204 }))
    const { broker } = await start({ manifests: manifests('retry: 0'), resolve: async () => fn.url })
    const unknown = toCloudEvent({ ...event, kind: 'Teapot' })
    expect(broker.publish(unknown, 'ns', 'default')).toBe('accepted')
    await broker.idle()
    expect(broker.counts()).toMatchObject({ received: 1, unmatched: 1, attempt: 0 })
    expect(fn.received).toEqual([])
  })
})

describe('delivery', () => {
  const deliverWith = async (
    answer: (count: number) => Answer,
    { delivery = 'retry: 3, backoffDelay: PT1S', profile = 'in-memory' as ProfileName, trigger = '' } = {},
  ) => {
    const clock = virtualClock(now)
    const fn = await subscriber(answer)
    const started = await start({
      manifests: manifests(delivery, trigger),
      resolve: async () => fn.url,
      clock,
      profile,
    })
    started.broker.publish(wired, 'ns', 'default')
    await settle(clock, started.broker)
    return { ...started, fn, clock }
  }
  const failing =
    (times: number, status = 503, headers = {}) =>
    (count: number): Answer =>
      count <= times ? { status, headers } : { status: 204 }

  it.each<[ProfileName, string, number[]]>([
    ['in-memory', 'retry: 3, backoffPolicy: exponential, backoffDelay: PT1S', [1000, 2000, 4000]],
    ['in-memory', 'retry: 3, backoffPolicy: linear, backoffDelay: PT1S', [0, 1000, 2000]],
    ['kafka', 'retry: 3, backoffPolicy: exponential, backoffDelay: PT1S', [2000, 4000, 8000]],
    ['kafka', 'retry: 3, backoffPolicy: linear, backoffDelay: PT1S', [1000, 2000, 3000]],
    ['rabbitmq', 'retry: 3, backoffPolicy: exponential, backoffDelay: PT1S', [2000, 4000, 8000]],
  ])('of the %s broker with %s waits %j ms between attempts', async (profile, delivery, expected) => {
    const { waits, broker, clock } = await deliverWith(failing(3), { profile, delivery })
    expect(waits()).toEqual(expected)
    expect(broker.counts()).toMatchObject({ attempt: 4, delivered: 1, 'dead-letter': 0 })
    expect(clock.now() - now).toBe(expected.reduce((sum, wait) => sum + wait, 0))
  })

  it.each<[ProfileName, string, number[]]>([
    ['in-memory', 'retryAfterMax: PT60S', [7000]],
    ['in-memory', 'retryAfterMax: PT5S', [5000]],
    ['in-memory', 'retryAfterMax: PT0S', [1000]],
    ['in-memory', '', [1000]],
    ['kafka', 'retryAfterMax: PT60S', [2000]],
    ['rabbitmq', 'retryAfterMax: PT60S', [2000]],
  ])(
    'of the %s broker with %s answers Retry-After: 7 with a wait of %j ms',
    async (profile, more, expected) => {
      const delivery = `retry: 1, backoffDelay: PT1S${more === '' ? '' : `, ${more}`}`
      const { waits } = await deliverWith(failing(1, 503, { 'retry-after': '7' }), { profile, delivery })
      expect(waits()).toEqual(expected)
    },
  )

  it.each<[ProfileName, Answer, number, 'delivered' | 'dead-letter']>([
    ['in-memory', { status: 503 }, 4, 'dead-letter'],
    ['in-memory', { status: 404 }, 4, 'dead-letter'],
    ['in-memory', { status: 409 }, 4, 'dead-letter'],
    ['in-memory', { status: 400 }, 1, 'dead-letter'],
    ['in-memory', { status: 302 }, 1, 'dead-letter'],
    ['in-memory', { status: 200, body: 'OK' }, 4, 'dead-letter'],
    ['kafka', { status: 400 }, 1, 'dead-letter'],
    ['kafka', { status: 429 }, 4, 'dead-letter'],
    ['kafka', { status: 200, body: 'OK' }, 1, 'dead-letter'],
    ['rabbitmq', { status: 500 }, 4, 'dead-letter'],
    ['rabbitmq', { status: 400 }, 1, 'delivered'],
    ['rabbitmq', { status: 200, body: 'OK' }, 1, 'delivered'],
  ])('of the %s broker takes %j: %i attempts, then %s', async (profile, answer, attempts, end) => {
    const { broker, kinds } = await deliverWith(() => answer, { profile })
    expect(broker.counts().attempt).toBe(attempts)
    expect(kinds().at(-1)).toBe(end)
  })

  it('says in the dead letter what went wrong', async () => {
    const { broker } = await deliverWith(() => ({ status: 400, body: 'no' }))
    expect(broker.deadLetters).toMatchObject([
      { trigger: 'ns/dns', reason: 'the subscriber answered 400', sink: 'none' },
    ])
    expect(broker.deadLetters[0]?.event.attributes).toMatchObject({
      id: event.id,
      knativeerrorcode: '400',
      knativeerrordata: Buffer.from('no').toString('base64'),
    })
  })

  it('brings the dead letter to its sink', async () => {
    const clock = virtualClock(now)
    const fn = await subscriber(() => ({ status: 400 }))
    const dead = await subscriber(() => ({ status: 202 }))
    const sink =
      'delivery: { deadLetterSink: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: dead } } }'
    const { broker } = await start({
      manifests: manifests('retry: 0', sink),
      resolve: async name => (name === 'dead' ? dead.url : fn.url),
      clock,
    })
    broker.publish(wired, 'ns', 'default')
    await settle(clock, broker)
    expect(dead.received[0]?.event.attributes).toMatchObject({ id: event.id, knativeerrorcode: '400' })
    expect(broker.deadLetters[0]?.sink).toBe('delivered')
  })

  it('retries while the Service cannot be reached', async () => {
    const clock = virtualClock(now)
    const fn = await subscriber(() => ({ status: 204 }))
    let asked = 0
    const { broker, kinds } = await start({
      manifests: manifests('retry: 3, backoffDelay: PT1S'),
      clock,
      resolve: async () => {
        if (++asked === 1) throw new Error('no process yet')
        return asked === 2 ? 'http://127.0.0.1:1/' : fn.url
      },
    })
    broker.publish(wired, 'ns', 'default')
    await settle(clock, broker)
    expect(kinds()).toEqual(['received', 'attempt', 'attempt', 'attempt', 'delivered'])
  })

  it('gives up an attempt after the timeout of its delivery, and tries again', async () => {
    const clock = virtualClock(now)
    const fn = await subscriber(count => (count === 1 ? new Promise(() => {}) : { status: 204 }))
    const { broker, seen } = await start({
      manifests: manifests('retry: 1, timeout: PT10S'),
      resolve: async () => fn.url,
      clock,
    })
    broker.publish(wired, 'ns', 'default')
    await settle(clock, broker)
    expect(seen.filter(({ kind }) => kind === 'attempt')).toMatchObject([
      { attempt: 1, durationMs: 10_000, reason: 'no answer within 10000 ms' },
      { attempt: 2, status: 204 },
    ])
  })

  it('takes an event in the answer back into the broker, but not for ever', async () => {
    const fn = await subscriber((_, { event: { attributes, body } }) => {
      const { headers, body: sent } = encodeBinary({ attributes, body })
      return { status: 200, headers: { ...headers }, body: sent }
    })
    const { broker } = await start({ manifests: manifests('retry: 0'), resolve: async () => fn.url })
    broker.publish(wired, 'ns', 'default')
    await broker.idle()
    expect(broker.counts()).toMatchObject({ received: 255, refused: 1 })
  })

  it.each([
    [0, 1, 6],
    [1, 1, 1],
    [2, 1, 2],
    [2, 2, 4],
  ])(
    'with containerConcurrency %i and scale %i runs at most %i of 6 at a time',
    async (concurrency, scale, most) => {
      let running = 0
      let peak = 0
      const expected = Promise.withResolvers<void>()
      const fn = await subscriber(async () => {
        peak = Math.max(peak, ++running)
        if (running === most) expected.resolve()
        await expected.promise
        // Others that were let through would arrive in these turns.
        for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
        running--
        return { status: 204 }
      })
      const { broker } = await start({
        manifests: manifests('retry: 0', '', concurrency),
        resolve: async () => fn.url,
        scale: () => scale,
      })
      for (let count = 0; count < 6; count++) broker.publish(wired, 'ns', 'default')
      await broker.idle()
      expect(peak).toBe(most)
      expect(broker.counts().delivered).toBe(6)
    },
  )

  it('keeps the order of one key where a Kafka Trigger asks for it, and only there', async () => {
    const order = async (profile: ProfileName) => {
      const clock = virtualClock(now)
      const ids: string[] = []
      const fn = await subscriber((count, { event: { attributes } }) => {
        if (count > 1) ids.push(String(attributes.id))
        return { status: count === 1 ? 503 : 204 }
      })
      const { broker } = await start({
        manifests: manifests('retry: 3, backoffDelay: PT1S'),
        resolve: async () => fn.url,
        clock,
        profile,
      })
      const send = (id: string, key: string) =>
        broker.publish(
          { ...wired, attributes: { ...wired.attributes, id, partitionkey: key } },
          'ns',
          'default',
        )
      send('a1', 'a')
      while (fn.received.length === 0) await clock.advance(0)
      send('a2', 'a')
      send('b1', 'b')
      await settle(clock, broker)
      return ids
    }
    expect(await order('kafka')).toEqual(['b1', 'a1', 'a2'])
    expect((await order('in-memory')).at(-1)).toBe('a1')
  })

  it('drops what waits when it is closed', async () => {
    const clock = virtualClock(now)
    const fn = await subscriber(() => ({ status: 503 }))
    const { broker } = await start({
      manifests: manifests('retry: 3, backoffDelay: PT1S'),
      resolve: async () => fn.url,
      clock,
    })
    broker.publish(wired, 'ns', 'default')
    while (fn.received.length === 0) await clock.advance(0)
    await broker.close()
    expect(clock.pending()).toEqual([])
    await expect(fetch(broker.url)).rejects.toThrow()
  })
})

it('brings an event from the sender through the manifests of the cluster to a function', async () => {
  const clock: Clock = systemClock
  const handled: unknown[] = []
  const host = await serveFunction({
    handle: async received => {
      handled.push(received)
      return { kind: 'recorded' }
    },
    accepts: ({ kind, provider }) => kind === 'DNSRecord' && provider === 'aws-route53',
    settings: { host: '127.0.0.1', port: 0, maxConcurrency: 0, bodyTimeoutMs: 5000, drainMs: 1000 },
    metrics: createMetrics(),
    log: quiet,
    clock,
  })
  cleanups.push(() => host.close())
  const asked: string[] = []
  const { broker } = await start({
    manifests: await loadManifests([new URL('../../knative', import.meta.url).pathname]),
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
