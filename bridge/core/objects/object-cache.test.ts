import { describe, expect, test } from 'vitest'
import { eventData } from '../../../shared/events/events.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { createObjectCache } from './pending-objects.ts'

const object = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, labels: { of: 'ö' } },
  spec: { pad: 'x'.repeat(1000) },
})

describe('objects that are stored until they are sent', () => {
  test('they are stored as text until there are too many', () => {
    const { cache } = createObjectCache(2_500)
    const stored = ['a', 'b', 'c'].map(name => cache(object(name)))
    expect(stored.map(text => text && JSON.parse(text))).toEqual([object('a'), object('b'), undefined])
  })

  test('a released object makes room for another', () => {
    const { cache, release } = createObjectCache(1_200)
    for (let round = 0; round < 100; round++) {
      const stored = cache(object('a'))
      expect(stored).toBeDefined()
      if (stored !== undefined) release(stored)
    }
  })

  test('they lose their managed fields, which no event contains', () => {
    const managed = { ...object('a'), metadata: { name: 'a', managedFields: [{ manager: 'x' }] } }
    expect(JSON.parse(createObjectCache().cache(managed) ?? '').metadata).toEqual({ name: 'a' })
  })

  test('a large object loses the fields that events omit', () => {
    const large = { ...object('a'), status: { observedGeneration: 1, state: 'x'.repeat(1_000_000) } }
    const stored = createObjectCache().cache(large) ?? ''
    expect(stored.length).toBeLessThan(2_000)
    expect(eventData(JSON.parse(stored))).toEqual(eventData(large))
  })

  test.each<[string, object]>([
    ['too large for an event', { spec: { config: 'x'.repeat(100_000) } }],
    ['of many small values', { spec: { config: Array.from({ length: 50_000 }, () => ({})) } }],
    ['of thousands of levels', { spec: { config: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) } }],
  ])('they are read again if they are %s', (_, rest) => {
    expect(createObjectCache().cache({ ...object('a'), ...rest })).toBeUndefined()
  })
})
