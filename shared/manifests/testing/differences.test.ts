import { expect, test } from 'vitest'
import { differencesOfObjects } from './differences.ts'

const object = (name: string, fields: object = {}) => ({
  apiVersion: 'v1',
  kind: 'A',
  metadata: { name },
  ...fields,
})

test('each different field is reported with the expected and the actual value', () => {
  expect(
    differencesOfObjects(
      [object('a', { spec: { replicas: 1, args: ['x', 'y'], labels: { b: '1' } } })],
      [object('a', { spec: { replicas: 0, args: ['x'], labels: { b: '1', c: '2' } } })],
    ),
  ).toEqual([
    'v1 A a spec.replicas: 1 → 0',
    'v1 A a spec.args[1]: "y" → nothing',
    'v1 A a spec.labels.c: nothing → "2"',
  ])
})

test('missing, additional and duplicate objects are reported', () => {
  expect(differencesOfObjects([object('a'), object('b')], [object('b'), object('b'), object('c')])).toEqual([
    'v1 A a: missing',
    'v1 A b: there 2 times',
    'v1 A c: too many',
  ])
})

test('order and null are ignored', () => {
  expect(
    differencesOfObjects(
      [object('a', { x: null, y: 1, z: 2 }), object('b')],
      [object('b'), object('a', { z: 2, y: 1 })],
    ),
  ).toEqual([])
})

test('a list differs from an object, and a missing value from an empty one', () => {
  expect(differencesOfObjects([object('a', { x: [] })], [object('a', { x: {} })])).toEqual([
    'v1 A a x: [] → {}',
  ])
  expect(differencesOfObjects([object('a', { x: {} })], [object('a')])).toEqual(['v1 A a x: {} → nothing'])
})
