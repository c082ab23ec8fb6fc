import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepestJson, isCertainlyWithin, isDeeper, isLonger } from './json-bounds.ts'

const lists = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
const objects = (levels: number) => JSON.parse('{"a":'.repeat(levels) + 1 + '}'.repeat(levels))

describe('the depth of JSON', () => {
  test.each([
    ['lists', lists],
    ['objects', objects],
  ])('%s count as levels', (_, nested) => {
    expect([1, 2, 3, 4].map(levels => isDeeper(nested(levels), 3))).toEqual([false, false, false, true])
  })

  test('the deepest branch counts', () => {
    expect(isDeeper({ a: [1, 2], b: { c: { d: [] } } }, 3)).toBe(true)
    expect(isDeeper({ a: [1, 2], b: { c: { d: [] } } }, 4)).toBe(false)
  })

  test.each([null, undefined, 1, 'text'])('the depth of %j is zero', value => {
    expect(isDeeper(value, 0)).toBe(false)
  })

  test.each([lists, objects])('a million levels are measured', nested => {
    expect(isDeeper(nested(1_000_000))).toBe(true)
  })

  test('recursive code can process the maximum depth', () => {
    expect(() => JSON.stringify(structuredClone(objects(deepestJson)))).not.toThrow()
  })
})

describe('the length of JSON', () => {
  test('the length is never overstated', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const { length } = JSON.stringify(value)
        expect(isLonger(value, length)).toBe(false)
      }),
    )
  })

  test.each([
    ['a text', 'x'.repeat(1_001)],
    ['a list of numbers', Array.from({ length: 501 }, () => 1)],
    ['an object of many fields', Object.fromEntries(Array.from({ length: 200 }, (_, n) => [n, n]))],
    ['lists in lists', lists(1_000_000)],
    ['texts far inside', { a: { b: [{ c: 'x'.repeat(600) }, { c: 'x'.repeat(600) }] } }],
  ])('a length above 1,000 is recognized: %s', (_, value) => {
    expect(isLonger(value, 1_000)).toBe(true)
  })

  test('a certain size in bytes is never understated', () => {
    const texts = fc.string({ unit: fc.constantFrom('x', 'ü', '\u0001', '𝄞', '\ud800') })
    const numbers = fc.constantFrom(-Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 0)
    fc.assert(
      fc.property(fc.jsonValue(), texts, numbers, fc.nat(2_000), (json, text, number, bytes) => {
        const value = { json, [text]: [text, number] }
        if (isCertainlyWithin(value, bytes))
          expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(bytes)
      }),
    )
  })

  test('an object of a usual size is certainly within the limit of an event', () => {
    expect(isCertainlyWithin({ spec: { text: 'x'.repeat(4_000), numbers: [1, 2, 3] } }, 64 * 1024)).toBe(true)
  })
})
