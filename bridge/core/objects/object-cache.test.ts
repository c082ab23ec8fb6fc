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
  test('their texts have at most 16 Mi characters, and a released one makes room for another', () => {
    const { cache, release } = createObjectCache()
    const large = { ...object('a'), spec: { pad: 'x'.repeat(60_000) } }
    const stored: string[] = []
    for (let text = cache(large); text !== undefined; text = cache(large)) stored.push(text)
    expect(stored.map(text => JSON.parse(text)).at(-1)).toEqual(large)
    const total = stored.join('').length
    expect(total).toBeLessThanOrEqual(16 * 1024 * 1024)
    expect(total).toBeGreaterThan(16 * 1024 * 1024 - 61_000)
    release(stored[0] ?? '')
    expect(cache(large)).toBeDefined()
    expect(cache(large)).toBeUndefined()
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
