import { expect, test } from 'vitest'
import { escapeInvisible } from './escape-invisible.ts'

test.each([
  ['pool a', 'pool a'],
  ['größe → 🚀', 'größe → 🚀'],
  ['\u001b[31mred', '\\u{1b}[31mred'],
  ['a\nb\u0085', 'a\\u{a}b\\u{85}'],
  ['left\u202eright', 'left\\u{202e}right'],
  ['zero\u200bwidth\u2028', 'zero\\u{200b}width\\u{2028}'],
  ['half \ud800', 'half \\u{d800}'],
])('%j is shown as %j', (text, shown) => {
  expect(escapeInvisible(text)).toBe(shown)
})
