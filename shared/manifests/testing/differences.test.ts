import { expect, test } from 'vitest'
import { differencesOfObjects } from './differences.ts'

const object = (name: string, fields: object = {}) => ({
  apiVersion: 'v1',
  kind: 'A',
  metadata: { name },
  ...fields,
})

test('names each field that differs, with what was expected and what was got', () => {
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

test('names objects that are missing, too many or there twice', () => {
  expect(differencesOfObjects([object('a'), object('b')], [object('b'), object('b'), object('c')])).toEqual([
    'v1 A a: missing',
    'v1 A b: there 2 times',
    'v1 A c: too many',
  ])
})

test('passes over order, and over null', () => {
  expect(
    differencesOfObjects(
      [object('a', { x: null, y: 1, z: 2 }), object('b')],
      [object('b'), object('a', { z: 2, y: 1 })],
    ),
  ).toEqual([])
})

test('tells a list from an object, and nothing from an empty one', () => {
  expect(differencesOfObjects([object('a', { x: [] })], [object('a', { x: {} })])).toEqual([
    'v1 A a x: [] → {}',
  ])
  expect(differencesOfObjects([object('a', { x: {} })], [object('a')])).toEqual(['v1 A a x: {} → nothing'])
})
