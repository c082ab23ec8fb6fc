import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { eventOperations } from './event.ts'
import { omittedAnnotation } from './read-event.ts'
import { buildEvent, dataLimit, type EventInput, eventId } from './write-event.ts'

const record: KubernetesObject = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: {
    name: 'api',
    namespace: 'shoot--foo--bar',
    uid: '5a6f1a2e-0000-4000-8000-000000000001',
    resourceVersion: '77',
    generation: 3,
    annotations: {
      'gardener.cloud/operation': 'reconcile',
      'kubectl.kubernetes.io/last-applied-configuration': '{"long":"text"}',
    },
    managedFields: [{ manager: 'gardenlet' }],
  },
  spec: {
    type: 'aws-route53',
    name: 'api.example.com',
    secretRef: { name: 's', namespace: 'shoot--foo--bar' },
  },
}

const input = (change: Partial<EventInput> = {}): EventInput => ({
  object: record,
  kind: 'DNSRecord',
  operation: 'reconcile',
  cause: 'annotation:2026-11-21T02:58:25.209Z',
  reason: 'annotation',
  attempt: 0,
  source: '/seeds/eu-1',
  now: Date.parse('2026-11-21T02:58:26.000Z'),
  ...change,
})

const withStatus = (status: object): KubernetesObject => ({ ...record, status })

describe('buildEvent', () => {
  test('the attributes of the contract describe the change', () => {
    const { data, id, ...attributes } = buildEvent(input())
    expect(attributes).toEqual({
      source: '/seeds/eu-1',
      type: 'cloud.gardener.extensions.dnsrecord.reconcile',
      subject: 'shoot--foo--bar/api',
      time: '2026-11-21T02:58:26.000Z',
      operation: 'reconcile',
      kind: 'DNSRecord',
      apiversion: 'extensions.gardener.cloud/v1alpha1',
      name: 'api',
      namespace: 'shoot--foo--bar',
      provider: 'aws-route53',
      extclass: 'shoot',
      objectuid: '5a6f1a2e-0000-4000-8000-000000000001',
      generation: 3,
      resourceversion: '77',
      attempt: 0,
      reason: 'annotation',
      partitionkey: '5a6f1a2e-0000-4000-8000-000000000001',
    })
  })

  test('a cluster-scoped object has no namespace', () => {
    const { namespace: _, ...metadata } = record.metadata
    const event = buildEvent(input({ object: { ...record, metadata }, kind: 'BackupBucket' }))
    expect(event.subject).toBe('api')
    expect('namespace' in event).toBe(false)
  })

  test('the data excludes the bookkeeping of the API server', () => {
    const text = JSON.stringify(buildEvent(input()).data)
    expect(text).not.toContain('managedFields')
    expect(text).not.toContain('last-applied')
    expect(text).toContain('gardener.cloud/operation')
  })

  test('the state of a large object is omitted first and reported', () => {
    const object = withStatus({ observedGeneration: 3, state: { blob: 'x'.repeat(dataLimit) } })
    const { data } = buildEvent(input({ object }))
    expect(data?.status).toEqual({ observedGeneration: 3 })
    expect(data?.metadata.annotations?.[omittedAnnotation]).toBe('status.state')
  })

  test('an object that is too large is sent as a reference', () => {
    const object = { ...record, spec: { type: 'aws', providerConfig: { blob: '€'.repeat(dataLimit / 3) } } }
    expect(buildEvent(input({ object })).data).toBeUndefined()
  })

  test('the data never exceeds the limit in bytes', () => {
    fc.assert(
      fc.property(
        fc.nat(dataLimit * 2),
        fc.nat(dataLimit * 2),
        fc.constantFrom('x', 'ü', '\u0001', '𝄞'),
        (state, config, letter) => {
          const object = {
            ...withStatus({ state: letter.repeat(state) }),
            spec: { type: 't', c: letter.repeat(config) },
          }
          const { data } = buildEvent(input({ object }))
          expect(data === undefined ? 0 : Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(
            dataLimit,
          )
        },
      ),
      { numRuns: 40 },
    )
  })

  test('the object is not changed', () => {
    const object = withStatus({ state: 'x'.repeat(dataLimit) })
    const before = JSON.stringify(object)
    buildEvent(input({ object }))
    expect(JSON.stringify(object)).toBe(before)
  })

  test.each([
    ['a Secret', { ...record, kind: 'Secret' }, 'an event must not contain a Secret'],
    ['an object without uid', { ...record, metadata: { name: 'api' } }, 'DNSRecord api has no metadata.uid'],
    ['an object without type', { ...record, spec: {} }, 'DNSRecord api has no spec.type'],
  ])('a change batch with %s is refused', (_, object, message) => {
    expect(() => buildEvent(input({ object }))).toThrow(message)
  })
})

describe('eventId', () => {
  const parts = fc.tuple(fc.string(), fc.nat(), fc.constantFrom(...eventOperations), fc.string())

  test('ids are stable across releases, because a new bridge must repeat the ids of the old one', () => {
    expect(eventId('u', 1, 'reconcile', 'c')).toMatchInlineSnapshot(`"29c13d04-749f-8463-ad6f-eba1b6cf5271"`)
  })

  test('an id is a UUID of version 8, equal only for equal parts', () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        expect(eventId(...a)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(eventId(...a) === eventId(...b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })

  test('adjacent parts are not confused', () => {
    expect(eventId('u', 1, 'reconcile', '|c')).not.toBe(eventId('u|', 1, 'reconcile', 'c'))
  })
})
