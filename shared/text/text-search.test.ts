import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replaceTexts } from './replace-texts.ts'
import { createTextSearch, type Marks } from './text-search.ts'

/** Counts look-ups: the only work that could depend on the contents. */
const countedMarks = () => {
  const marks: Marks<number> = new Map()
  let count = 0
  const get = marks.get.bind(marks)
  marks.get = key => {
    count++
    return get(key)
  }
  return { marks, count: () => count }
}

const partsByComparison = (text: string, others: readonly string[]) => {
  const parts: { start: number; end: number }[] = []
  for (let at = 0; at < text.length; at++) {
    const length = Math.max(
      0,
      ...others.filter(other => text.startsWith(other, at)).map(other => other.length),
    )
    const last = parts.at(-1)
    if (length === 0) continue
    if (last === undefined || at >= last.end) parts.push({ start: at, end: at + length })
    else last.end = Math.max(last.end, at + length)
  }
  return parts
}

describe('a search for many texts', () => {
  test('finds the same parts as a comparison at each place, also when texts are added between searches', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 2, maxLength: 12 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 })
    fc.assert(
      fc.property(fc.array(fc.tuple(word, text), { maxLength: 12 }), given => {
        const search = createTextSearch<undefined>(2)
        const added: string[] = []
        for (const [other, searched] of given) {
          search.add(other, undefined)
          added.push(other)
          expect(search.partsOf(searched).map(({ start, end }) => ({ start, end }))).toEqual(
            partsByComparison(searched, added),
          )
        }
      }),
      { numRuns: 500 },
    )
  })

  test('names the longest text of a place', () => {
    const search = createTextSearch<string>(1)
    for (const text of ['ab', 'abcd', 'abc']) search.add(text, text)
    expect(search.partsOf('xabcdx abc')).toEqual([
      { start: 1, end: 5, value: 'abcd' },
      { start: 7, end: 10, value: 'abc' },
    ])
  })

  const letters = (length: number, period: number) =>
    Array.from({ length }, (_, at) => String.fromCharCode(97 + (at % period))).join('')
  test.each([
    [
      'share a beginning',
      Array.from({ length: 2_000 }, (_, n) => `AAAAAAAAAAAA${n}`),
      'AAAAAAAAAAAA1'.repeat(2_000),
    ],
    [
      'share a long beginning',
      Array.from({ length: 300 }, (_, n) => `${'A'.repeat(1_000)}${n}`),
      'A'.repeat(100_000),
    ],
    ['contain one another', Array.from({ length: 600 }, (_, n) => 'a'.repeat(12 + n)), 'a'.repeat(100_000)],
    [
      'contain one another, longest first',
      Array.from({ length: 600 }, (_, n) => 'a'.repeat(612 - n)),
      'a'.repeat(100_000),
    ],
    [
      'differ at the end',
      Array.from({ length: 12 }, (_, n) => `${'a'.repeat(2 ** n * 12)}b`),
      'a'.repeat(100_000),
    ],
    ['repeat a period', [3, 7, 64].map(period => letters(20_000, period)), letters(100_000, 7)],
    [
      'are all in the text',
      Array.from({ length: 5_000 }, (_, n) => `secret-of-${1_000_000 + n}`),
      Array.from({ length: 5_000 }, (_, n) => `secret-of-${1_000_000 + n}`).join(' '),
    ],
    ['are one character', ['a', 'b'], 'ab'.repeat(50_000)],
  ])('takes linear time for texts that %s', (_, others, text) => {
    const { marks, count } = countedMarks()
    const search = createTextSearch<number>(Math.min(12, ...others.map(({ length }) => length)), marks)
    for (const [n, other] of others.entries()) search.add(other, n)
    search.partsOf(text)
    const characters = text.length + others.reduce((sum, { length }) => sum + length, 0)
    // log2 of the longest text, and the first mark.
    expect(count()).toBeLessThan(18 * characters)
  })
})

test('a part that two texts share is replaced once, and a text that ends where another begins separately', () => {
  expect(replaceTexts('xabcdx ab cd abab', ['abc', 'bcd', 'ab'], '*')).toBe('x*x * cd **')
})
