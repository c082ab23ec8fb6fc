import { expect, test } from 'vitest'
import { broker, delivery, trigger, withAnnotations } from './testing/broken-objects.ts'
import { changed, type SeedChanges, seedWith } from './testing/good-seed.ts'
import { saidOf } from './testing/said-of.ts'

const rabbitmq = withAnnotations(broker, { 'eventing.knative.dev/broker.class': 'RabbitMQBroker' })
const withoutSink = delivery({ timeout: 'PT75S', retry: 5, backoffDelay: 'PT1S' })
const workers = (count: number) =>
  changed(
    'triggers',
    'aws-dnsrecord',
    withAnnotations(trigger, { 'rabbitmq.eventing.knative.dev/parallelism': String(count) }),
  )

test.each<[what: string, changes: SeedChanges, state: 'problem' | 'warning', text: RegExp, advice: RegExp]>([
  [
    'a Broker without a dead letter sink',
    changed('brokers', 'default', withoutSink),
    'warning',
    /the Broker default has no dead letter sink: an event that it gives up waits/,
    /patch broker default .*"deadLetterSink":\{"uri":"http:\/\/bridge.trellis.svc:8080\/undelivered"\}/,
  ],
  [
    'a Broker of RabbitMQ without a dead letter sink',
    changed('brokers', 'default', { ...rabbitmq, ...withoutSink }),
    'problem',
    /one event that always fails stops all events of its Trigger/,
    /patch broker default/,
  ],
  [
    'a Trigger with a delivery of its own',
    changed('triggers', 'aws-dnsrecord', { spec: { ...(trigger.spec as object), delivery: { retry: 1 } } }),
    'warning',
    /the Trigger aws-dnsrecord has a delivery without a dead letter sink/,
    /patch trigger aws-dnsrecord .*"delivery":null/,
  ],
  [
    'too few workers for RabbitMQ',
    { ...changed('brokers', 'default', rabbitmq), ...workers(33) },
    'warning',
    /Trigger aws-dnsrecord: 33 workers are too few for RabbitMQ: .* 4 rounds of 8.5 minutes, .* after 30 minutes. Allow 34 events/,
    /annotate trigger aws-dnsrecord --overwrite rabbitmq.eventing.knative.dev\/parallelism=34/,
  ],
])('the report of a seed names %s', (_, changes, state, text, advice) => {
  const found = saidOf(seedWith(changes), state).filter(one => text.test(one.text))
  expect(found).toHaveLength(1)
  expect(found[0]?.advice).toMatch(advice)
})

test('34 workers are enough for RabbitMQ', () => {
  const seed = seedWith({ ...changed('brokers', 'default', rabbitmq), ...workers(34) })
  expect(saidOf(seed, 'warning').filter(({ text }) => text.includes('workers are too few'))).toEqual([])
})
