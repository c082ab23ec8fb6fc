import { afterEach, describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { Post } from '../../shared/events/events.ts'
import { createBrokerCore } from './broker-core.ts'
import type { BrokerEvent } from './broker-event.ts'
import { readMessage } from './http-binding.ts'
import type { BrokerName } from './profile.ts'
import { manifests, now, quiet, wired } from './testing/harness.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Options {
  readonly profile: BrokerName
  readonly workers?: number
  readonly delivery?: string
  readonly trigger?: string
  /** Returns the status of a delivery, after its time in ms. */
  readonly answer?: (
    id: string,
    count: number,
  ) => { readonly status: number; readonly ms: number; readonly to?: string }
}

const timeout = 'retry: 5, backoffPolicy: exponential, backoffDelay: PT1S, timeout: PT75S'
const withSink = `${timeout}, deadLetterSink: { uri: "http://dead/" }`
const seconds = (count: number) => count * 1_000

/** A broker without sockets, whose function answers after a time of the virtual clock. */
const start = ({
  profile,
  workers = 100,
  delivery = withSink,
  trigger = '',
  answer = () => ({ status: 204, ms: seconds(12) }),
}: Options) => {
  const clock = virtualClock(now)
  const asked: string[] = []
  const buried: { id: string; code: string | undefined; at: number }[] = []
  const post: Post = async (url, { headers, body }, signal) => {
    const { attributes } = readMessage({ headers, body: Buffer.from(body) })
    const id = String(attributes.id)
    if (url === 'http://dead/') {
      buried.push({ id, code: attributes.knativeerrorcode as string | undefined, at: clock.now() - now })
      return { status: 204, headers: {}, body: new Uint8Array() }
    }
    asked.push(id)
    const { status, ms, to } = answer(id, asked.filter(one => one === id).length)
    await clock.sleep(ms, signal)
    return { status, headers: to === undefined ? {} : { location: to }, body: new Uint8Array() }
  }
  const core = createBrokerCore({
    manifests: manifests(delivery, trigger, 0, '', `rabbitmq.eventing.knative.dev/parallelism: "${workers}"`),
    resolve: async () => 'http://fn/',
    clock,
    log: quiet,
    profile,
    postWithin: () => post,
  })
  closing.push(core.close)
  const seen: { event: BrokerEvent; at: number }[] = []
  core.onEvent(event => seen.push({ event, at: clock.now() - now }))
  const publish = (count: number, first = 0) => {
    for (let index = first; index < first + count; index++)
      core.publish(
        { ...wired, attributes: { ...wired.attributes, id: `e${index}`, partitionkey: `${index}` } },
        'ns',
        'default',
      )
  }
  const deliveredAt = () =>
    seen.flatMap(({ event, at }) =>
      event.kind === 'delivered' ? [{ id: String(event.event.attributes.id), at }] : [],
    )
  return { clock, core, asked, buried, seen, publish, deliveredAt }
}

describe('RabbitMQ', () => {
  test('a dead letter without an exchange closes the channel: nothing is taken until each worker has ended, and all that it held comes again', async () => {
    const { clock, core, asked, publish, deliveredAt } = start({
      profile: 'rabbitmq',
      delivery: timeout,
      answer: id => (id === 'e0' ? { status: 503, ms: 0 } : { status: 204, ms: seconds(24) }),
    })
    publish(1)
    await clock.advance(seconds(50))
    publish(60, 1)
    await clock.advance(seconds(12))
    expect(core.counts()['channel-closed']).toBe(1)
    publish(1, 61)
    await clock.advance(seconds(11))
    expect(asked).not.toContain('e61')
    await clock.advance(seconds(60))
    expect(core.counts()['channel-closed']).toBe(1)
    // 60 events come twice.
    expect(deliveredAt()).toHaveLength(60 + 60 + 1)
  })

  test('a Trigger with its own delivery has no exchange for dead letters, and loses the event', async () => {
    const { clock, core, buried, publish } = start({
      profile: 'rabbitmq',
      trigger: `delivery: { ${timeout} }`,
      answer: () => ({ status: 503, ms: 0 }),
    })
    publish(1)
    await clock.advance(seconds(63))
    await core.idle()
    expect([core.counts()['channel-closed'], buried]).toEqual([0, []])
  })

  test('with a dead letter sink, the event goes there after its retries', async () => {
    const { clock, core, buried, publish } = start({
      profile: 'rabbitmq',
      answer: () => ({ status: 503, ms: 0 }),
    })
    publish(1)
    await clock.advance(seconds(62))
    expect(buried).toEqual([{ id: 'e0', code: '503', at: seconds(62) }])
    expect(core.counts()['channel-closed']).toBe(0)
  })

  test.each([
    [100, 200, 100, 0],
    [40, 200, 100, 0],
  ])(
    'at SIGTERM, a dispatcher with %i workers acknowledges all that it holds of %i events: %i go to the dead letter sink',
    async (workers, count, held) => {
      const { clock, core, buried, publish, deliveredAt } = start({ profile: 'rabbitmq', workers })
      publish(count)
      await clock.advance(seconds(5))
      core.replaceDispatchers('SIGTERM')
      await clock.advance(1)
      expect(buried).toHaveLength(held)
      expect(new Set(buried.map(({ code }) => code))).toEqual(new Set(['-1']))
      await clock.advance(seconds(60))
      expect(deliveredAt()).toHaveLength(count - held)
    },
  )

  test('at SIGTERM without the exchange, one event is lost and the others come again', async () => {
    const { clock, core, publish, deliveredAt } = start({ profile: 'rabbitmq', delivery: timeout })
    publish(100)
    await clock.advance(seconds(5))
    core.replaceDispatchers('SIGTERM')
    await clock.advance(seconds(60))
    expect(core.counts()['channel-closed']).toBe(1)
    expect(deliveredAt()).toHaveLength(99)
  })

  test('kill -9 loses nothing', async () => {
    const { clock, core, publish, deliveredAt } = start({ profile: 'rabbitmq' })
    publish(200)
    await clock.advance(seconds(5))
    core.replaceDispatchers('SIGKILL')
    await clock.advance(seconds(60))
    expect(new Set(deliveredAt().map(({ id }) => id)).size).toBe(200)
  })

  test('a buffered event counts for the consumer timeout of 30 minutes', async () => {
    const { clock, core, publish } = start({
      profile: 'rabbitmq',
      workers: 25,
      // Six attempts of 75 s and the waits between them: four rounds are too long.
      answer: () => ({ status: 503, ms: seconds(75) }),
    })
    publish(100)
    await clock.advance(seconds(1_799))
    expect(core.counts()['channel-closed']).toBe(0)
    await clock.advance(seconds(1))
    expect(core.counts()['channel-closed']).toBe(1)
  })

  test('an attempt follows redirects, and a loop is retried: 60 requests', async () => {
    const { clock, asked, publish } = start({
      profile: 'rabbitmq',
      answer: () => ({ status: 307, ms: 0, to: 'http://fn/again' }),
    })
    publish(1)
    await clock.advance(seconds(62))
    expect(asked).toHaveLength(60)
  })

  test.each([
    // 7 s until the programs end, and the kubelet's first wait.
    [5, 5],
    [10, 17],
    // It starts after 17 s, ends after 6 s, and waits for 20 s.
    [30, 43],
    [600, 647],
  ])('after %i s without RabbitMQ, events are accepted again after %i s', async (outage, again) => {
    const { clock, core, publish, deliveredAt } = start({ profile: 'rabbitmq' })
    publish(100)
    await clock.advance(seconds(1))
    core.storage(false)
    await clock.advance(seconds(outage))
    core.storage(true)
    await clock.advance(seconds(again - outage) - 1)
    const isAway = again > outage
    if (isAway) expect(core.publish(wired, 'ns', 'default')).toBe('unavailable')
    await clock.advance(1)
    expect(core.publish(wired, 'ns', 'default')).toBe('accepted')
    await clock.advance(seconds(60))
    expect(new Set(deliveredAt().map(({ id }) => id)).size).toBe(101)
  })
})

describe('Kafka', () => {
  test('the dispatcher polls for 50 more when 49 are in flight', async () => {
    const { clock, asked, publish } = start({
      profile: 'kafka',
      answer: id => ({ status: 204, ms: id === 'e0' ? seconds(1) : seconds(20) }),
    })
    publish(120)
    await clock.advance(0)
    expect(asked).toHaveLength(50)
    await clock.advance(seconds(1))
    expect(asked).toHaveLength(100)
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    '%s repeats all events after the oldest unfinished one',
    async by => {
      const { clock, core, asked, publish, deliveredAt } = start({
        profile: 'kafka',
        answer: id => ({ status: 204, ms: id === 'e0' ? seconds(20) : seconds(1) }),
      })
      publish(10)
      await clock.advance(seconds(5))
      core.replaceDispatchers(by)
      await clock.advance(seconds(30))
      expect(asked).toHaveLength(20)
      expect(new Set(deliveredAt().map(({ id }) => id)).size).toBe(10)
    },
  )
})

test('the in-memory channel loses undelivered events at a restart', async () => {
  const { clock, core, buried, publish, deliveredAt } = start({ profile: 'in-memory' })
  publish(10)
  await clock.advance(seconds(5))
  core.replaceDispatchers('SIGTERM')
  await core.idle()
  expect([buried, deliveredAt()]).toEqual([[], []])
})
