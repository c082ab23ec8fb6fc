import { describe, expect, test } from 'vitest'
import { eventData } from '../../../shared/events/events.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { createKeptObjects, objectOf } from './kept-objects.ts'

const object = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, labels: { of: 'ö' } },
  spec: { pad: 'x'.repeat(1000) },
})

describe('objects that are stored until they are sent', () => {
  test('the first are stored as they are, later ones as text, then none', () => {
    const { keep } = createKeptObjects({ mostWhole: 2, mostLength: 2_500 })
    const kept = ['a', 'b', 'c', 'd', 'e'].map(name => keep(object(name)))
    expect(
      kept.map(entry => (entry === undefined ? 'no' : typeof entry === 'string' ? 'written' : 'whole')),
    ).toEqual(['whole', 'whole', 'written', 'written', 'no'])
    expect(kept.flatMap(entry => (entry === undefined ? [] : [objectOf(entry)]))).toEqual(
      ['a', 'b', 'c', 'd'].map(object),
    )
  })

  test('a released object makes room for another', () => {
    const { keep, release } = createKeptObjects({ mostWhole: 1, mostLength: 1_200 })
    for (let round = 0; round < 100; round++) {
      const kept = [keep(object('a')), keep(object('b'))]
      expect(kept.map(entry => entry !== undefined)).toEqual([true, true])
      for (const entry of kept) if (entry !== undefined) release(entry)
    }
  })

  test('serialized objects lose their managed fields, which no event contains', () => {
    const managed = { ...object('a'), metadata: { name: 'a', managedFields: [{ manager: 'x' }] } }
    const kept = createKeptObjects({ mostWhole: 0, mostLength: 10_000 }).keep(managed)
    expect(kept && objectOf(kept).metadata).toEqual({ name: 'a' })
  })

  test('large objects are serialized without the fields that events omit, even if there are few objects', () => {
    const { keep } = createKeptObjects()
    const large = { ...object('a'), status: { observedGeneration: 1, state: 'x'.repeat(1_000_000) } }
    const kept = keep(large)
    expect(typeof kept === 'string' ? kept.length : kept).toBeLessThan(2_000)
    expect(kept && eventData(objectOf(kept))).toEqual(eventData(large))
  })

  test.each<[string, object]>([
    ['too large for an event', { spec: { config: 'x'.repeat(100_000) } }],
    ['of many small values', { spec: { config: Array.from({ length: 50_000 }, () => ({})) } }],
    ['of thousands of levels', { spec: { config: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) } }],
  ])('they are read again if they are %s', (_, rest) => {
    expect(createKeptObjects().keep({ ...object('a'), ...rest })).toBeUndefined()
  })
})
