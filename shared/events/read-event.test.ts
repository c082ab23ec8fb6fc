import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { eventOperations } from './event.ts'
import { parseEvent, parseEventJson } from './read-event.ts'
import { sampleEvent } from './testing/sample-event.ts'
import { buildEvent, dataLimit, eventJson, eventMessage } from './write-event.ts'

const kubernetesName = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/)
/** JSON has no -0. */
const jsonValue = fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)) as fc.JsonValue)

const someEvent = fc
  .record({
    operation: fc.constantFrom(...eventOperations),
    name: kubernetesName,
    namespace: fc.option(kubernetesName, { nil: undefined }),
    type: fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter(text => text.isWellFormed() && !/\p{Cc}/u.test(text)),
    uid: fc.uuid(),
    generation: fc.nat(),
    attempt: fc.nat(),
    status: fc.option(fc.dictionary(fc.string(), jsonValue), { nil: undefined }),
    traceparent: fc.option(fc.constant('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'), {
      nil: undefined,
    }),
    size: fc.constantFrom(0, dataLimit),
  })
  .map(({ operation, name, namespace, type, uid, generation, attempt, status, traceparent, size }) => {
    const object: KubernetesObject = {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'DNSRecord',
      metadata: { name, ...(namespace ? { namespace } : {}), uid, generation, resourceVersion: '7' },
      spec: { type, blob: 'x'.repeat(size) },
      ...(status ? { status } : {}),
    }
    const rest = { cause: 'c', reason: 'annotation', source: '/seeds/s', now: 0, traceparent }
    return buildEvent({ object, kind: 'DNSRecord', operation, attempt, ...rest })
  })

const event = sampleEvent

describe('an event on the wire', () => {
  test.each(['binary', 'structured'] as const)('an event in %s mode is read as it was built', mode => {
    fc.assert(
      fc.property(someEvent, built => {
        const { headers, body } = eventMessage(built, mode)
        expect(parseEvent(headers, body)).toEqual(built)
      }),
    )
  })

  test('every extension is a string', () => {
    const { data: _, ...attributes } = eventJson({ ...event, attempt: 2 })
    expect(Object.values(attributes).every(value => typeof value === 'string')).toBe(true)
    expect(attributes).toMatchObject({ attempt: '2', generation: '1', kind: 'DNSRecord' })
    expect(attributes).not.toHaveProperty('operation')
  })

  test('an event always has a body: a reference if the data is too large', () => {
    const { data: _, ...withoutData } = event
    const json = eventJson(withoutData)
    expect(json.data).toMatchObject({ kind: 'DNSRecord', metadata: { name: 'api', uid: 'u-1' } })
    expect(parseEventJson(json)).toEqual(withoutData)
  })

  test('an event without a body is accepted', () => {
    const { headers } = eventMessage(event)
    expect(parseEvent(headers, new Uint8Array()).data).toBeUndefined()
  })

  test('the extensions of brokers are ignored', () => {
    const json = { ...eventJson(event), knativearrivaltime: '2026-01-01T00:00:00Z', knativehistory: 'x' }
    expect(parseEventJson(json)).toEqual(event)
  })

  const data = event.data as KubernetesObject
  test.each<[Record<string, unknown>, string]>([
    [{ kind: undefined }, 'kind: missing'],
    [{ kind: 'dnsrecord' }, 'kind: expected a kind such as DNSRecord'],
    [{ provider: '' }, 'provider: empty'],
    [{ generation: '-1' }, 'generation: expected a whole number'],
    [{ generation: '1e3' }, 'generation: expected a whole number'],
    [{ attempt: 'x' }, 'attempt: expected a whole number'],
    [{ apiversion: 'v1' }, 'apiversion: expected extensions.gardener.cloud/<version>'],
    [
      { type: 'cloud.gardener.extensions.dnsrecord.explode' },
      'type: expected a name that ends in one of reconcile',
    ],
    [
      { type: 'cloud.gardener.extensions.worker.reconcile' },
      'type: expected cloud.gardener.extensions.dnsrecord',
    ],
    [{ subject: 'other/api' }, 'subject: expected shoot--foo--bar/api'],
    [{ partitionkey: 'u-2' }, 'partitionkey: expected u-1'],
    [{ objectuid: 'u-2', partitionkey: 'u-2' }, 'data.metadata.uid: expected u-2'],
    [{ datacontenttype: 'text/xml', data: '<a/>' }, 'datacontenttype: expected application/json'],
    [{ data: 'text' }, 'data: not a Kubernetes object'],
    [{ data: { ...data, metadata: {} } }, 'data.metadata.name: not a Kubernetes object'],
    [{ data: { ...data, kind: 'Secret' } }, 'data.kind: expected DNSRecord'],
  ])('an event with %j is refused', (change, message) => {
    expect(() => parseEventJson({ ...eventJson(event), ...change })).toThrow(message)
  })
})
