import { describe, expect, test } from 'vitest'
import { mergePatch } from '../../../shared/kubernetes/kubernetes.ts'
import { jsonPatch } from './json-patch.ts'
import { strategicMergePatch } from './strategic-merge-patch.ts'

describe('a merge patch (the examples of RFC 7386)', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result)
  })

  test('a merge patch does not change its input', () => {
    const target = Object.freeze({ a: Object.freeze({ b: 1 }) })
    expect(mergePatch(target, { a: { c: 2 } })).toEqual({ a: { b: 1, c: 2 } })
  })
})

describe('a JSON patch', () => {
  test('a JSON patch applies its operations in order, to a copy', () => {
    const target = Object.freeze({ a: Object.freeze([1, 2]) })
    const patch = [
      { op: 'test', path: '/a/0', value: 1 },
      { op: 'add', path: '/a/-', value: 3 },
      { op: 'remove', path: '/a/0' },
      { op: 'replace', path: '/a/0', value: 9 },
    ]
    expect(jsonPatch(target, patch)).toEqual({ a: [9, 3] })
  })

  test('a JSON patch that fails is a 422', () => {
    expect(() => jsonPatch({ a: 1 }, [{ op: 'test', path: '/a', value: 2 }])).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: 422 }) }),
    )
    expect(() => jsonPatch({}, [{ op: 'remove', path: '/a' }])).toThrow('rejected our request')
  })

  test.each([
    { op: 'add', path: '/__proto__', value: 1 },
    { op: 'add', path: '/a', value: JSON.parse('{"b":{"__proto__":1}}') },
    { op: 'move', path: '/a', from: '/__proto__' },
  ])('a JSON patch that would lose a field __proto__ is refused: %j', operation => {
    expect(() => jsonPatch({}, [operation])).toThrow('rejected our request')
  })

  test('a JSON patch accepts __proto__ as a value', () => {
    expect(jsonPatch({}, [{ op: 'add', path: '/a', value: '__proto__":' }])).toEqual({ a: '__proto__":' })
  })

  test('an invalid JSON patch is a 400', () => {
    expect(() => jsonPatch({}, { a: 1 })).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: 400 }) }),
    )
  })
})

describe('a strategic merge patch', () => {
  test.each([
    [
      'maps merge, nulls remove',
      { data: { a: '1', b: '2' } },
      { data: { a: null, c: '3' } },
      { data: { b: '2', c: '3' } },
    ],
    [
      'keyed lists merge',
      { spec: { ports: [{ port: 80, name: 'a' }] } },
      { spec: { ports: [{ port: 80, name: 'b' }, { port: 81 }] } },
      { spec: { ports: [{ port: 80, name: 'b' }, { port: 81 }] } },
    ],
    [
      'an item is deleted by a directive',
      { spec: { ports: [{ port: 80 }, { port: 81 }] } },
      { spec: { ports: [{ port: 80, $patch: 'delete' }], '$setElementOrder/ports': [{ port: 81 }] } },
      { spec: { ports: [{ port: 81 }] } },
    ],
    [
      'finalizers are added',
      { metadata: { finalizers: ['a'] } },
      { metadata: { finalizers: ['b'] } },
      { metadata: { finalizers: ['a', 'b'] } },
    ],
    [
      'and taken away by a directive',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      { metadata: { finalizers: ['b'] } },
    ],
    ['other lists are replaced', { rules: [1, 2] }, { rules: [3] }, { rules: [3] }],
    [
      'a map is replaced by a directive',
      { data: { a: '1' } },
      { data: { $patch: 'replace', b: '2' } },
      { data: { b: '2' } },
    ],
    [
      'only named keys are retained',
      { spec: { a: 1, b: 2 } },
      { spec: { $retainKeys: ['b'], b: 3 } },
      { spec: { b: 3 } },
    ],
  ])('%s', (_, target, patch, result) => {
    expect(strategicMergePatch(target, patch)).toEqual(result)
  })
})
