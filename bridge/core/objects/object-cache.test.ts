import { describe, expect, test } from 'vitest'
import { eventData } from '../../../shared/events/events.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { createObjectCache, objectOf } from './pending-objects.ts'

const object = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, labels: { of: 'ö' } },
  spec: { pad: 'x'.repeat(1000) },
})

describe('objects that are stored until they are sent', () => {
  test('the first are stored as they are, later ones as text, then none', () => {
    const { cache } = createObjectCache({ mostWhole: 2, mostLength: 2_500 })
    const stored = ['a', 'b', 'c', 'd', 'e'].map(name => cache(object(name)))
    expect(
      stored.map(entry => (entry === undefined ? 'no' : typeof entry === 'string' ? 'written' : 'whole')),
    ).toEqual(['whole', 'whole', 'written', 'written', 'no'])
    expect(stored.flatMap(entry => (entry === undefined ? [] : [objectOf(entry)]))).toEqual(
      ['a', 'b', 'c', 'd'].map(object),
    )
  })

  test('a released object makes room for another', () => {
    const { cache, release } = createObjectCache({ mostWhole: 1, mostLength: 1_200 })
    for (let round = 0; round < 100; round++) {
      const stored = [cache(object('a')), cache(object('b'))]
      expect(stored.map(entry => entry !== undefined)).toEqual([true, true])
      for (const entry of stored) if (entry !== undefined) release(entry)
    }
  })

  test('serialized objects lose their managed fields, which no event contains', () => {
    const managed = { ...object('a'), metadata: { name: 'a', managedFields: [{ manager: 'x' }] } }
    const stored = createObjectCache({ mostWhole: 0, mostLength: 10_000 }).cache(managed)
    expect(stored && objectOf(stored).metadata).toEqual({ name: 'a' })
  })

  test('large objects are serialized without the fields that events omit, even if there are few objects', () => {
    const { cache } = createObjectCache()
    const large = { ...object('a'), status: { observedGeneration: 1, state: 'x'.repeat(1_000_000) } }
    const stored = cache(large)
    expect(typeof stored === 'string' ? stored.length : stored).toBeLessThan(2_000)
    expect(stored && eventData(objectOf(stored))).toEqual(eventData(large))
  })

  test('their texts have at most 16 Mi characters by default', () => {
    const { cache } = createObjectCache()
    const large = { ...object('a'), spec: { pad: 'x'.repeat(60_000) } }
    let length = 0
    for (let text = cache(large); typeof text === 'string'; text = cache(large)) length += text.length
    expect(length).toBeLessThanOrEqual(16 * 1024 * 1024)
    expect(length).toBeGreaterThan(16 * 1024 * 1024 - 61_000)
  })

  test('at most 500 are stored as they are by default', () => {
    const { cache } = createObjectCache()
    const stored = Array.from({ length: 501 }, () => typeof cache(object('a')))
    expect(stored.slice(-2)).toEqual(['object', 'string'])
  })

  test.each<[string, object]>([
    ['too large for an event', { spec: { config: 'x'.repeat(100_000) } }],
    ['of many small values', { spec: { config: Array.from({ length: 50_000 }, () => ({})) } }],
    ['of thousands of levels', { spec: { config: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) } }],
  ])('they are read again if they are %s', (_, rest) => {
    expect(createObjectCache().cache({ ...object('a'), ...rest })).toBeUndefined()
  })
})
