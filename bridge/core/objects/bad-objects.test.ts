import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { annotations } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { omittedAnnotation } from '../../../shared/events/events.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { replay } from '../../../test/cases/replay.ts'
import { type BridgeTestSeed, useSeeds } from '../../testing/test-seed.ts'

const newSeed = useSeeds()
const { resource } = kinds.DNSRecord

/** Stores an object without any schema validation. */
const put = (seed: BridgeTestSeed, name: string, rest: object, metadata: object = {}) =>
  seed.kubernetes.put(resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecord',
    metadata: { name, namespace: 'garden', ...metadata },
    ...rest,
  } as KubernetesObject)

describe('an object that violates the schema', () => {
  test.each<[string, object, object?]>([
    ['a spec of another type', { spec: { type: 'test', values: 'x', ttl: {}, recordType: [] } }],
    ['a class that there is not', { spec: { type: 'test', class: 5 } }],
    ['a status that is a text', { spec: { type: 'test' }, status: 'x' }],
    ['a lastOperation that is a list', { spec: { type: 'test' }, status: { lastOperation: [1] } }],
    ['a lastOperation without a type', { spec: { type: 'test' }, status: { lastOperation: { state: 7 } } }],
    ['a step that is no JSON', { spec: { type: 'test' } }, { annotations: { [annotations.step]: '{' } }],
    [
      'a step of something else',
      { spec: { type: 'test' } },
      { annotations: { [annotations.step]: '{"phase":"x"}' } },
    ],
    ['a time that is none', { spec: { type: 'test' } }, { annotations: { [annotations.timestamp]: 'soon' } }],
  ])('it is sent nevertheless: %s', async (_, rest, metadata) => {
    const seed = newSeed()
    await seed.bridge()
    put(seed, 'bad', rest, metadata)
    put(seed, 'good', { spec: { type: 'test' } })
    await seed.clock.advance(1_000)
    expect(seed.events.map(({ name }) => name)).toEqual(['bad', 'good'])
  })

  const deep = (levels: number): unknown => JSON.parse('{"a":['.repeat(levels / 2) + ']}'.repeat(levels / 2))

  test.each<[string, object, string | undefined]>([
    ['config', { spec: { type: 'test', providerConfig: deep(5_000) } }, undefined],
    ['state', { spec: { type: 'test' }, status: { state: deep(5_000) } }, 'status.state'],
    [
      'provider status',
      { spec: { type: 'test' }, status: { providerStatus: deep(9_000) } },
      'status.providerStatus',
    ],
    ['status', { spec: { type: 'test' }, status: { conditions: deep(9_000) } }, undefined],
  ])(
    'it is sent without its %s of thousands of levels, which the API server accepts',
    async (_, rest, omitted) => {
      const seed = newSeed()
      const { bridge } = await seed.bridge()
      put(seed, 'deep', rest)
      put(seed, 'going', rest, {
        deletionTimestamp: '2026-01-01T00:00:00Z',
        finalizers: ['extensions.gardener.cloud/dnsrecord'],
      })
      await seed.clock.advance(1_000)
      expect(seed.events.map(({ name, operation }) => [name, operation])).toEqual([
        ['deep', 'reconcile'],
        ['going', 'delete'],
      ])
      for (const { data } of seed.events)
        expect(data?.metadata.annotations?.[omittedAnnotation]).toBe(omitted)
      expect(bridge.waiting().filter(({ state }) => state === 'parked')).toEqual([])
    },
  )

  test.each<[string, object]>([
    ['without a spec', {}],
    ['without a type', { spec: {} }],
    ['whose type is a number', { spec: { type: 5 } }],
    ['whose spec is a list', { spec: [] }],
    ['whose type is empty', { spec: { type: '' } }],
    ['whose type is longer than that of an event', { spec: { type: 'x'.repeat(254) } }],
  ])('%s, it cannot be routed: the bridge parks and reports it', async (_, rest) => {
    const seed = newSeed()
    const { bridge } = await seed.bridge()
    put(seed, 'bad', rest)
    put(seed, 'good', { spec: { type: 'test' } })
    await seed.clock.advance(1_000)
    expect(seed.events.map(({ name }) => name)).toEqual(['good'])
    expect(bridge.waiting().find(({ object }) => object === 'garden/bad')).toMatchObject({ state: 'parked' })
    expect(seed.observed.find(({ type }) => type === 'parked')).toMatchObject({
      status: 0,
      object: 'garden/bad',
      uid: seed.kubernetes.read(resource, { name: 'bad', namespace: 'garden' })?.metadata.uid,
    })
  })

  const parameters = replay(200)
  const anything = fc.jsonValue({ maxDepth: 3 })
  const texts = fc.dictionary(
    fc.oneof(fc.constantFrom(annotations.operation, annotations.timestamp, annotations.step), fc.string()),
    fc.string(),
    { maxKeys: 4 },
  )

  test(`it never ends the bridge, whatever its content (seed ${parameters.seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ spec: anything, status: anything }, { requiredKeys: [] }),
        fc.record({ annotations: texts, labels: texts }, { requiredKeys: [] }),
        async (rest, metadata) => {
          const seed = newSeed()
          const { bridge, stop } = await seed.bridge()
          put(seed, 'bad', rest, metadata)
          put(seed, 'good', { spec: { type: 'test' } })
          await seed.clock.advance(120_000)
          expect(seed.events.filter(({ name }) => name === 'good')).not.toEqual([])
          // The object was sent or parked, requests an unknown operation, has another class, or needs no work.
          for (const { state, why } of bridge.waiting())
            expect(`${state}: ${why}`).toMatch(/^(waiting|parked|ignored): ./)
          // No code that reads objects has thrown.
          expect(
            seed.observed.filter(event => event.type === 'restarted' && event.reason === 'unhandled'),
          ).toEqual([])
          await stop()
        },
      ),
      parameters,
    )
  })
})
