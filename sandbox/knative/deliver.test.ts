import { afterEach, describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { writeMessage } from './http-binding.ts'
import { partitionOf } from './partition.ts'
import type { BrokerName } from './profile.ts'
import {
  cleanUp,
  deliverAll,
  event,
  type FunctionAnswer,
  manifests,
  now,
  start,
  subscriber,
  wired,
} from './testing/harness.ts'

afterEach(cleanUp)

describe('delivery', () => {
  const deliverWith = async (
    answer: (count: number) => FunctionAnswer,
    { delivery = 'retry: 3, backoffDelay: PT1S', profile = 'in-memory' as BrokerName, trigger = '' } = {},
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
    await deliverAll(clock, started.broker)
    return { ...started, fn, clock }
  }
  const failing =
    (times: number, status = 503, headers = {}) =>
    (count: number): FunctionAnswer =>
      count <= times ? { status, headers } : { status: 204 }

  test.each<[BrokerName, string, number[]]>([
    ['in-memory', 'retry: 3, backoffPolicy: exponential, backoffDelay: PT1S', [1000, 2000, 4000]],
    ['in-memory', 'retry: 3, backoffPolicy: linear, backoffDelay: PT1S', [0, 1000, 2000]],
    ['kafka', 'retry: 3, backoffPolicy: exponential, backoffDelay: PT1S', [2000, 4000, 8000]],
    ['kafka', 'retry: 3, backoffPolicy: linear, backoffDelay: PT1S', [1000, 2000, 3000]],
    ['rabbitmq', 'retry: 3, backoffPolicy: exponential, backoffDelay: PT1S', [2000, 4000, 8000]],
    ['nats', 'retry: 3, backoffPolicy: exponential, backoffDelay: PT1S', [2000, 4000, 8000]],
    ['nats', 'retry: 3, backoffPolicy: linear, backoffDelay: PT1S', [1000, 2000, 3000]],
  ])(
    'a delivery of the %s broker with %s waits %j ms between attempts',
    async (profile, delivery, expected) => {
      const { waits, broker, clock } = await deliverWith(failing(3), { profile, delivery })
      expect(waits()).toEqual(expected)
      expect(broker.counts()).toMatchObject({ attempt: 4, delivered: 1, 'dead-letter': 0 })
      expect(clock.now() - now).toBe(expected.reduce((sum, wait) => sum + wait, 0))
    },
  )

  test.each<[BrokerName, string, number[]]>([
    ['in-memory', 'retryAfterMax: PT60S', [7000]],
    ['in-memory', 'retryAfterMax: PT5S', [5000]],
    ['in-memory', 'retryAfterMax: PT0S', [1000]],
    ['in-memory', '', [1000]],
    ['kafka', 'retryAfterMax: PT60S', [2000]],
    ['rabbitmq', 'retryAfterMax: PT60S', [2000]],
    ['nats', 'retryAfterMax: PT60S', [2000]],
  ])(
    'a delivery of the %s broker with %s waits %j ms after Retry-After: 7',
    async (profile, more, expected) => {
      const delivery = `retry: 1, backoffDelay: PT1S${more === '' ? '' : `, ${more}`}`
      const { waits } = await deliverWith(failing(1, 503, { 'retry-after': '7' }), { profile, delivery })
      expect(waits()).toEqual(expected)
    },
  )

  test.each<[BrokerName, FunctionAnswer, number, 'delivered' | 'dead-letter' | 'channel-closed']>([
    ['in-memory', { status: 503 }, 4, 'dead-letter'],
    ['in-memory', { status: 404 }, 4, 'dead-letter'],
    ['in-memory', { status: 409 }, 4, 'dead-letter'],
    ['in-memory', { status: 400 }, 1, 'dead-letter'],
    ['in-memory', { status: 302 }, 1, 'dead-letter'],
    ['in-memory', { status: 200, body: 'OK' }, 4, 'dead-letter'],
    ['kafka', { status: 400 }, 1, 'dead-letter'],
    ['kafka', { status: 429 }, 4, 'dead-letter'],
    ['kafka', { status: 200, body: 'OK' }, 1, 'dead-letter'],
    ['rabbitmq', { status: 500 }, 4, 'channel-closed'],
    ['rabbitmq', { status: 400 }, 1, 'delivered'],
    ['rabbitmq', { status: 200, body: 'OK' }, 1, 'delivered'],
    ['nats', { status: 503 }, 4, 'dead-letter'],
    ['nats', { status: 429 }, 4, 'dead-letter'],
    ['nats', { status: 404 }, 1, 'dead-letter'],
    ['nats', { status: 409 }, 1, 'dead-letter'],
    ['nats', { status: 400 }, 1, 'dead-letter'],
    ['nats', { status: 200, body: 'OK' }, 4, 'dead-letter'],
  ])(
    'a delivery of the %s broker that gets %j makes %i attempts, then %s',
    async (profile, answer, attempts, end) => {
      const { broker, kinds } = await deliverWith(() => answer, { profile })
      expect(broker.counts().attempt).toBe(attempts)
      expect(kinds().at(-1)).toBe(end)
    },
  )

  test('the dead letter contains the error', async () => {
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

  test('the dead letter is delivered to its sink', async () => {
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
    await deliverAll(clock, broker)
    expect(dead.received[0]?.event.attributes).toMatchObject({ id: event.id, knativeerrorcode: '400' })
    expect(broker.deadLetters[0]?.sink).toBe('delivered')
  })

  test.each<[BrokerName, number, number]>([
    ['in-memory', 400, 1],
    ['kafka', 400, 1],
    ['nats', 400, 0],
    ['nats', 503, 1],
  ])(
    'a delivery of the %s broker with response %i is sent to its dead letter sink %i times',
    async (profile, status, times) => {
      const clock = virtualClock(now)
      const fn = await subscriber(() => ({ status }))
      const dead = await subscriber(() => ({ status: 202 }))
      const sink =
        'delivery: { deadLetterSink: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: dead } } }'
      const { broker } = await start({
        manifests: manifests('retry: 0', sink),
        resolve: async name => (name === 'dead' ? dead.url : fn.url),
        clock,
        profile,
      })
      broker.publish(wired, 'ns', 'default')
      await deliverAll(clock, broker)
      expect(dead.received).toHaveLength(times)
      expect(broker.deadLetters).toHaveLength(1)
    },
  )

  test('a delivery is retried while the Service is unreachable', async () => {
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
    await deliverAll(clock, broker)
    expect(kinds()).toEqual(['received', 'attempt', 'attempt', 'attempt', 'delivered'])
  })

  test.each<[BrokerName, string, number]>([
    ['in-memory', ', timeout: PT10S', 10_000],
    ['kafka', ', timeout: PT10S', 10_000],
    ['rabbitmq', ', timeout: PT10S', 10_000],
    // Less than its ack wait of 10.5 s, so the server does not redeliver the event.
    ['nats', ', timeout: PT10S', 10_300],
    ['nats', '', 29_800],
  ])(
    'a delivery of the %s broker%s aborts an attempt after %i ms and retries',
    async (profile, timeout, after) => {
      const clock = virtualClock(now)
      const fn = await subscriber(count => (count === 1 ? new Promise(() => {}) : { status: 204 }))
      const { broker, seen } = await start({
        manifests: manifests(`retry: 1${timeout}`),
        resolve: async () => fn.url,
        clock,
        profile,
      })
      broker.publish(wired, 'ns', 'default')
      await deliverAll(clock, broker)
      expect(seen.filter(({ kind }) => kind === 'attempt')).toMatchObject([
        { attempt: 1, durationMs: after, reason: `no answer within ${after} ms` },
        { attempt: 2, status: 204 },
      ])
    },
  )

  test('an event in the response is returned to the broker, but not forever', async () => {
    const fn = await subscriber((_, { event: { attributes, body } }) => {
      const { headers, body: sent } = writeMessage({ attributes, body })
      return { status: 200, headers: { ...headers }, body: sent }
    })
    const { broker } = await start({ manifests: manifests('retry: 0'), resolve: async () => fn.url })
    broker.publish(wired, 'ns', 'default')
    await broker.idle()
    expect(broker.counts()).toMatchObject({ received: 255, refused: 1 })
  })

  test.each([
    [0, 1, 6],
    [1, 1, 1],
    [2, 1, 2],
    [2, 2, 4],
  ])(
    'a Service with containerConcurrency %i and scale %i runs at most %i of 6 at a time',
    async (concurrency, scale, most) => {
      let running = 0
      let peak = 0
      const expected = Promise.withResolvers<void>()
      const fn = await subscriber(async () => {
        peak = Math.max(peak, ++running)
        if (running === most) expected.resolve()
        await expected.promise
        // Events that passed a limit by mistake would arrive in these rounds.
        for (let round = 0; round < 20; round++) await new Promise(resolve => setImmediate(resolve))
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

  const keyed = (id: string, key: string) => ({
    ...wired,
    attributes: { ...wired.attributes, id, partitionkey: key },
  })

  test('a Kafka Trigger delivers each partition in order if it asks for it, and only then', async () => {
    const order = async (profile: BrokerName) => {
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
      broker.publish(keyed('a1', 'a'), 'ns', 'default')
      while (fn.received.length === 0) await clock.advance(0)
      broker.publish(keyed('a2', 'a'), 'ns', 'default')
      broker.publish(keyed('b1', 'b'), 'ns', 'default')
      await deliverAll(clock, broker)
      return ids
    }
    expect(partitionOf({ partitionkey: 'a' }, 10)).not.toBe(partitionOf({ partitionkey: 'b' }, 10))
    expect(await order('kafka')).toEqual(['b1', 'a1', 'a2'])
    expect((await order('in-memory')).at(-1)).toBe('a1')
  })

  test.each<[BrokerName, string, number]>([
    ['in-memory', '', 120],
    ['kafka', '', 50],
    ['kafka', 'kafka.eventing.knative.dev/delivery.order: ordered', 10],
    ['rabbitmq', '', 1],
    ['rabbitmq', 'rabbitmq.eventing.knative.dev/parallelism: "7"', 7],
    ['rabbitmq', 'rabbitmq.eventing.knative.dev/parallelism: "1000"', 100],
    ['nats', '', 120],
  ])(
    'a Trigger of the %s broker with {%s} has at most %i of 120 events in flight',
    async (profile, annotation, most) => {
      let peak = 0
      const gate = Promise.withResolvers<FunctionAnswer>()
      const fn = await subscriber(() => gate.promise)
      const { broker } = await start({
        manifests: manifests('retry: 0', '', 0, '', annotation),
        resolve: async () => fn.url,
        profile,
      })
      for (let count = 0; count < 120; count++) broker.publish(keyed(`${count}`, `${count}`), 'ns', 'default')
      await expect.poll(() => fn.received.length).toBe(most)
      for (let round = 0; round < 20; round++) await new Promise(resolve => setImmediate(resolve))
      peak = fn.received.length
      gate.resolve({ status: 204 })
      await broker.idle()
      expect(peak).toBe(most)
      expect(fn.received).toHaveLength(120)
    },
  )

  test('a RabbitMQ event that waits for its retry occupies a place', async () => {
    const clock = virtualClock(now)
    const ids: string[] = []
    const fn = await subscriber((count, { event: { attributes } }) => {
      ids.push(String(attributes.id))
      return { status: count === 1 ? 503 : 204 }
    })
    const { broker } = await start({
      manifests: manifests('retry: 3, backoffDelay: PT1S'),
      resolve: async () => fn.url,
      clock,
      profile: 'rabbitmq',
    })
    for (const id of ['a', 'b']) broker.publish(keyed(id, id), 'ns', 'default')
    await deliverAll(clock, broker)
    expect(ids).toEqual(['a', 'a', 'b'])
  })

  test('closing the broker drops waiting events', async () => {
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
