import { afterEach, describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { brokerKindOf } from './broker-kind.ts'
import { writeMessage } from './http-binding.ts'
import type { ManifestFile } from './manifest-file.ts'
import { parseManifests } from './manifests.ts'
import { cleanUp, now, start, subscriber, wired } from './testing/harness.ts'

afterEach(cleanUp)

const config = (data: string): string => `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: config, namespace: ns }
data: ${data}
`
const channel = (kind: string, spec = '{}') =>
  config(
    `{ channel-template-spec: "{ apiVersion: messaging.knative.dev/v1, kind: ${kind}, spec: ${spec} }" }`,
  )

/**
 * A Broker of the class, with its ConfigMap, and a Trigger that accepts DNSRecords by `filters`, and `byFilter` by
 * `filter`.
 */
const seed = (brokerClass: string, more = '', byFilter = 'DNSRecord'): ManifestFile => ({
  name: 'x.yaml',
  text: `
apiVersion: eventing.knative.dev/v1
kind: Broker
metadata: { name: default, namespace: ns, annotations: { ${brokerClass && `eventing.knative.dev/broker.class: ${brokerClass}`} } }
spec: { config: { apiVersion: v1, kind: ConfigMap, name: config } }
---
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: t, namespace: ns }
spec:
  broker: default
  filter: { attributes: { kind: ${byFilter} } }
  filters: [{ exact: { kind: DNSRecord } }]
  subscriber: { uri: "http://127.0.0.1:1/" }
${more}`,
})

const kindOf = (file: ManifestFile) => {
  const manifests = parseManifests([file])
  const [broker] = manifests.brokers
  return broker && brokerKindOf(broker, manifests)
}

describe('the kind of a Broker', () => {
  test.each([
    ['', '', 'in-memory'],
    ['MTChannelBasedBroker', '', 'in-memory'],
    ['MTChannelBasedBroker', channel('InMemoryChannel'), 'in-memory'],
    ['MTChannelBasedBroker', channel('NatsJetStreamChannel'), 'nats'],
    ['Kafka', '', 'kafka'],
    ['RabbitMQBroker', '', 'rabbitmq'],
  ])('it follows from its class "%s" and its config %s', (brokerClass, more, name) => {
    expect(kindOf(seed(brokerClass, more))?.name).toBe(name)
  })

  test.each([
    [
      'NatsJetStreamBroker',
      '',
      'Broker ns/default: the sandbox does not simulate the broker class NatsJetStreamBroker',
    ],
    [
      'MTChannelBasedBroker',
      channel('KafkaChannel'),
      'Broker ns/default: the sandbox does not simulate KafkaChannel',
    ],
  ])('a kind that the sandbox does not imitate is refused: %s %s', (brokerClass, more, message) => {
    expect(() => kindOf(seed(brokerClass, more))).toThrow(message)
  })

  test('it includes the partitions of its topic and the window of its stream', () => {
    expect(kindOf(seed('Kafka'))?.partitions).toBe(10)
    expect(kindOf(seed('Kafka', config('{ default.topic.partitions: "3" }')))?.partitions).toBe(3)
    const stream = (window: string) =>
      kindOf(
        seed(
          'MTChannelBasedBroker',
          channel('NatsJetStreamChannel', `{ stream: { config: { duplicateWindow: ${window} } } }`),
        ),
      )?.profile.duplicateWindowMs
    expect(stream('1m30s')).toBe(90_000)
    expect(
      kindOf(seed('MTChannelBasedBroker', channel('NatsJetStreamChannel')))?.profile.duplicateWindowMs,
    ).toBe(120_000)
  })
})

describe('a Trigger with filter and filters', () => {
  test.each([
    ['MTChannelBasedBroker', 1],
    ['Kafka', 1],
    ['RabbitMQBroker', 0],
  ])('a Trigger of the class %s accepts %i DNSRecords', async (brokerClass, taken) => {
    const { broker } = await start({
      manifests: parseManifests([seed(brokerClass, '', 'Worker')]),
      resolve: async () => 'http://127.0.0.1:1/',
    })
    broker.publish(wired, 'ns', 'default')
    await broker.idle()
    expect(broker.counts()).toMatchObject({ received: 1, unmatched: 1 - taken })
  })
})

describe('an event with a stored id', () => {
  const sent = async (brokerClass: string, more: string, afterMs: number) => {
    const { name, text } = seed(brokerClass, more)
    const clock = virtualClock(now)
    const fn = await subscriber(() => ({ status: 204 }))
    const { broker } = await start({
      manifests: parseManifests([{ name, text: text.replace('http://127.0.0.1:1/', fn.url) }]),
      resolve: async () => fn.url,
      clock,
    })
    broker.publish(wired, 'ns', 'default')
    await clock.advance(afterMs)
    expect(broker.publish(wired, 'ns', 'default')).toBe('accepted')
    await broker.idle()
    return [fn.received.length, broker.counts().duplicate]
  }
  const nats = channel('NatsJetStreamChannel')
  const oneSecond = channel('NatsJetStreamChannel', '{ stream: { config: { duplicateWindow: 1s } } }')

  test.each([
    ['MTChannelBasedBroker', nats, 90_000, 1],
    ['MTChannelBasedBroker', nats, 120_000, 2],
    ['MTChannelBasedBroker', oneSecond, 999, 1],
    ['MTChannelBasedBroker', oneSecond, 90_000, 2],
    ['Kafka', '', 0, 2],
    ['RabbitMQBroker', '', 0, 2],
    ['', '', 0, 2],
  ])(
    'it is accepted by %s %s after %i ms, and delivered %i times',
    async (brokerClass, more, afterMs, times) => {
      expect(await sent(brokerClass, more, afterMs)).toEqual([times, 2 - times])
    },
  )
})

test.each([
  ['', '', 413],
  ['Kafka', '', 503],
  ['RabbitMQBroker', '', 413],
  ['MTChannelBasedBroker', channel('NatsJetStreamChannel'), 500],
])('an event of 2 MiB sent to %s %s returns %i', async (brokerClass, more, status) => {
  const { broker } = await start({
    manifests: parseManifests([seed(brokerClass, more)]),
    resolve: async () => 'http://127.0.0.1:1/',
  })
  const answer = await fetch(broker.ingress('ns', 'default'), {
    method: 'POST',
    headers: writeMessage(wired).headers,
    body: Buffer.alloc(2 ** 21),
  })
  expect(answer.status).toBe(status)
  expect(broker.counts().received).toBe(0)
})
