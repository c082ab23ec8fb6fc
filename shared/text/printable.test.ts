import { expect, test } from 'vitest'
import { printable, printableJson } from './printable.ts'

test.each([
  ['an ANSI escape', '\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
  ['a new line', 'one\ntwo\r\n', 'one\\ntwo\\x0d\\n'],
  ['a C1 control', 'a\u009b2Jb', 'a\\x9b2Jb'],
  ['a change of direction', 'abc\u202etxt', 'abc\\u{202e}txt'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['a character without width', 'a\u200bb', 'a\\u{200b}b'],
  ['half of a character', 'a\ud800b', 'a\\u{d800}b'],
  ['plain text', 'Zürich → 東京 😀', 'Zürich → 東京 😀'],
])('%s is printed as visible characters', (_, text, shown) => {
  expect(printable(text)).toBe(shown)
})

test('JSON for a terminal has the same value', () => {
  const value = { 'a\u009b': ['\u001b[2J', '\u202e', '\u{e0001}', 'é'] }
  const text = printableJson(value, 2)
  expect(JSON.parse(text)).toEqual(value)
  expect(text).not.toMatch(/[\p{Cf}]|[^\P{Cc}\n]/u)
})
