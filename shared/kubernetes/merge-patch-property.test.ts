import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergePatch, replacement } from './merge-patch.ts'

const names = fc.constantFrom('a', 'b', 'constructor', 'toString')
const json = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, 1, '', 'x', true, false),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('fields'),
  ),
  fields: fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
})).fields

test('a replacement that is merged gives the desired object', () => {
  fc.assert(
    fc.property(json, json, (present, desired) => {
      expect(mergePatch(present, replacement(present, desired) ?? {})).toEqual(desired)
    }),
  )
})

test('a patch cannot change a prototype', () => {
  const patch = JSON.parse('{"__proto__": {"hostile": true}, "a": {"__proto__": {"hostile": true}}}')
  const merged = mergePatch({ a: {} }, patch) as { hostile?: unknown; a: { hostile?: unknown } }
  expect([merged.hostile, merged.a.hostile]).toEqual([undefined, undefined])
})
