import * as fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { describe, expect, test } from 'vitest'
import { jsonPatch } from './json-patch.ts'

const applied = (before: unknown, after: unknown): unknown => {
  const holder = { is: structuredClone(before) }
  const problems = applyPatch(holder, [...jsonPatch({ is: before }, { is: after })])
  expect(problems.filter(problem => problem !== null)).toEqual([])
  return holder.is
}

describe('a patch', () => {
  test('makes one JSON value of any other', () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    fc.assert(fc.property(json, json, (before, after) => void expect(applied(before, after)).toEqual(after)))
  })

  test('makes one list of another that is like it', () => {
    const list = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.record({ n: fc.constantFrom(1, 2) })))
    fc.assert(fc.property(list, list, (before, after) => void expect(applied(before, after)).toEqual(after)))
  })

  test('touches only what differs', () => {
    expect(
      jsonPatch(
        { keep: { a: [1] }, args: ['a', 'b', 'c'] },
        { keep: { a: [1] }, args: ['a', 'x', 'b', 'c'] },
      ),
    ).toEqual([{ op: 'add', path: '/args/1', value: 'x' }])
  })

  test('escapes names', () => {
    expect(jsonPatch({}, { 'a/b~c': 1 })).toEqual([{ op: 'add', path: '/a~1b~0c', value: 1 }])
  })

  test('knows what is undefined as absent', () => {
    expect(jsonPatch({ a: 1 }, { a: undefined, b: undefined })).toEqual([{ op: 'remove', path: '/a' }])
  })

  test('of long lists is made in one walk', () => {
    const before = Array.from({ length: 100_000 }, (_, index) => `entry ${index}`)
    expect(jsonPatch({ before }, { before: [...before.slice(1), 'new'] }).length).toBe(100_000)
    expect(jsonPatch({ before }, { before: [...before, 'new'] })).toEqual([
      { op: 'add', path: '/before/100000', value: 'new' },
    ])
  })
})
