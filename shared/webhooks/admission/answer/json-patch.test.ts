import * as fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { describe, expect, test } from 'vitest'
import { jsonPatch } from './json-patch.ts'

/**
 * Applies the operations of `jsonPatch` as RFC 6902 defines. Every name is an ordinary field, as in Go. The package
 * rfc6902 loses a field `__proto__`.
 */
const applied = (before: unknown, after: unknown): unknown => {
  const holder = { is: structuredClone(before) }
  for (const operation of jsonPatch({ is: before }, { is: after })) {
    const names = operation.path
      .split('/')
      .slice(1)
      .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = names.pop() ?? ''
    let parent: unknown = holder
    for (const name of names) parent = Object.getOwnPropertyDescriptor(parent, name)?.value
    const isThere = Object.hasOwn(parent as object, last)
    if (operation.op !== 'add') expect(isThere, operation.path).toBe(true)
    if (Array.isArray(parent)) {
      expect(Number(last)).toBeLessThanOrEqual(parent.length)
      const added = operation.op === 'remove' ? [] : [structuredClone(operation.value)]
      parent.splice(Number(last), operation.op === 'add' ? 0 : 1, ...added)
    } else if (operation.op === 'remove') delete (parent as Record<string, unknown>)[last]
    else {
      const value = structuredClone(operation.value)
      Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true })
    }
  }
  return holder.is
}

const appliedByLibrary = (before: unknown, after: unknown): unknown => {
  const holder = { is: structuredClone(before) }
  const problems = applyPatch(holder, [...jsonPatch({ is: before }, { is: after })])
  expect(problems.filter(problem => problem !== null)).toEqual([])
  return holder.is
}

describe('a patch', () => {
  test('a patch turns any JSON value into any other', () => {
    // fast-check also makes -0, which no JSON has.
    const json = fc.jsonValue({ maxDepth: 4 }).map(value => JSON.parse(JSON.stringify(value)) as fc.JsonValue)
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(applied(before, after)).toEqual(after)
        if (!JSON.stringify(after).includes('"__proto__"'))
          expect(appliedByLibrary(before, after)).toEqual(after)
      }),
      {
        examples: [
          [{}, JSON.parse('{"__proto__":{"a":1}}')],
          [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":2},"b":0}')],
          [JSON.parse('{"a":{"__proto__":[]}}'), { a: {} }],
        ],
      },
    )
  })

  test('a patch turns a list into a similar list', () => {
    const list = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.record({ n: fc.constantFrom(1, 2) })))
    fc.assert(fc.property(list, list, (before, after) => void expect(applied(before, after)).toEqual(after)))
  })

  test('a patch touches only the differences', () => {
    expect(
      jsonPatch(
        { keep: { a: [1] }, args: ['a', 'b', 'c'] },
        { keep: { a: [1] }, args: ['a', 'x', 'b', 'c'] },
      ),
    ).toEqual([{ op: 'add', path: '/args/1', value: 'x' }])
  })

  test('a patch escapes names', () => {
    expect(jsonPatch({}, { 'a/b~c': 1 })).toEqual([{ op: 'add', path: '/a~1b~0c', value: 1 }])
  })

  test('a patch treats undefined as absent', () => {
    expect(jsonPatch({ a: 1 }, { a: undefined, b: undefined })).toEqual([{ op: 'remove', path: '/a' }])
  })

  test('a patch of long lists is computed in one pass', () => {
    const before = Array.from({ length: 100_000 }, (_, index) => `entry ${index}`)
    expect(jsonPatch({ before }, { before: [...before.slice(1), 'new'] }).length).toBe(100_000)
    expect(jsonPatch({ before }, { before: [...before, 'new'] })).toEqual([
      { op: 'add', path: '/before/100000', value: 'new' },
    ])
  })
})
