import { describe, expect, test } from 'vitest'
import { keyReplacement, replacement } from './merge-patch.ts'

describe('a replacement', () => {
  test.each([
    ['the same', { a: 1, b: { c: [1, { d: 2 }] } }, { b: { c: [1, { d: 2 }] }, a: 1 }, undefined],
    ['another value', { a: 1 }, { a: 2 }, { a: 2 }],
    ['a new field', {}, { a: { b: 1 } }, { a: { b: 1 } }],
    ['a field too many', { a: 1, b: { c: 1 } }, { b: {} }, { a: null, b: { c: null } }],
    ['lists as a whole', { a: [1, 2] }, { a: [1] }, { a: [1] }],
    ['a list with other objects', { a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, { a: [{ b: 1, c: 2 }] }],
    ['an object in place of a value', { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['a value in place of an object', { a: { b: 1 } }, { a: [] }, { a: [] }],
    ['null where nothing is', {}, { a: null }, undefined],
    ['nothing where null is', { a: null }, {}, undefined],
    ['null where something is', { a: 1 }, { a: null }, { a: null }],
    ['an empty object that is new', {}, { a: {} }, { a: {} }],
    [
      'false, zero and the empty text',
      { a: true, b: 1, c: 'x' },
      { a: false, b: 0, c: '' },
      { a: false, b: 0, c: '' },
    ],
  ])('%s', (_, present, desired, patch) => {
    expect(replacement(present, desired)).toEqual(patch)
  })

  test('of a missing object is the desired object', () => {
    expect(replacement(undefined, { a: 1 })).toEqual({ a: 1 })
  })
})

test('a replacement of some keys leaves the others', () => {
  expect(
    keyReplacement({ own: 'a', foreign: 'b', gone: 'c' }, { own: 'x', gone: undefined, never: undefined }),
  ).toEqual({ own: 'x', gone: null })
  expect(keyReplacement({ own: 'a', foreign: 'b' }, { own: 'a' })).toBeUndefined()
  expect(keyReplacement(undefined, { own: 'a' })).toEqual({ own: 'a' })
})

test.each([
  ['an item more', ['a'], ['a', 'b']],
  ['an item less', ['a', 'b'], ['a']],
  ['another item', [{ key: 'a' }], [{ key: 'b' }]],
])('a list with %s is replaced as a whole', (_, present, desired) => {
  expect(replacement({ list: present }, { list: desired })).toEqual({ list: desired })
})
