import { expect, test } from 'vitest'
import { printable } from './printable.ts'

test.each([
  ['an ANSI escape', '\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
  ['a new line', 'one\ntwo\r\n', 'one\\ntwo\\x0d\\n'],
  ['a C1 control', 'a\u009b2Jb', 'a\\x9b2Jb'],
  ['a change of direction', 'abc\u202etxt', 'abc\\u{202e}txt'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['half of a character', 'a\ud800b', 'a\\u{d800}b'],
  ['plain text', 'Zürich → 東京 😀', 'Zürich → 東京 😀'],
])('%s is printed as visible characters', (_, text, shown) => {
  expect(printable(text)).toBe(shown)
})
