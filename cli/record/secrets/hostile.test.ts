import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createCleanValue } from './clean-value.ts'
import { createHide } from './hidden-text.ts'
import { createValueSearch } from './value-search.ts'

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

/** Redacts a value, and counts the look-ups of the search and the characters that it searched. */
const cleanWith = (secret: Readonly<Record<string, string>>, value: unknown) => {
  const marks = new Map()
  let lookUps = 0
  const get = marks.get.bind(marks)
  marks.get = key => {
    lookUps++
    return get(key)
  }
  const hide = createHide()
  const search = createValueSearch(hide, marks)
  search.add(Object.fromEntries(Object.entries(secret).map(([key, text]) => [key, base64(text)])))
  lookUps = 0
  let searched = 0
  const clean = createCleanValue(hide, {
    replace: text => {
      searched += text.length
      return search.replace(text)
    },
  })(value)
  return { clean, lookUps, searched }
}

const words = Array.from({ length: 2_000 }, (_, n) => `Aa1Aa1Aa1Aa1${n}xyz`)

test.each([
  ['words that share a beginning', words.join('\n'), words.join(' ')],
  [
    'words of which each begins with another',
    words.map((_, n) => `Aa1${'a'.repeat(13 + (n % 300))}`).join('\n'),
    'Aa1'.padEnd(40_000, 'a'),
  ],
  ['one value of a repeated letter', 'a'.repeat(100_000), 'a'.repeat(90_000)],
  ['hexadecimal words', words.map((_, n) => `${'0'.repeat(40)}${n}`).join('\n'), '0'.repeat(40_000)],
])('an annotation is redacted in linear time if a Secret contains %s', (_, secret, annotation) => {
  const { lookUps } = cleanWith({ file: secret }, { metadata: { annotations: { own: annotation } } })
  expect(lookUps).toBeLessThan(25 * (annotation.length + secret.length))
})

test('the end of a value that begins like others is hidden, too', () => {
  const { clean } = cleanWith({ file: words.join('\n') }, { text: `x ${words[1_234]} y` })
  expect(clean).toEqual({ text: expect.stringMatching(/^x \[redacted [0-9a-f]{8}\] y$/) })
})

test('compressed texts cannot make more work than their limit, however many there are and however nested', () => {
  const zipped = base64(gzipSync('x'.repeat(4_000_000)))
  const nested = base64(gzipSync(JSON.stringify(Array.from({ length: 200 }, () => zipped))))
  const { clean, searched } = cleanWith({}, { many: Array.from({ length: 200 }, () => nested), one: zipped })
  // Each nested text is searched once as itself, and once as a part of what contains it.
  expect(searched).toBeLessThan(4 * 8 * 1024 * 1024)
  expect(clean).toMatchObject({ one: expect.stringMatching(/^\[redacted/) })
})

test('JSON in a text that is too deep to be walked is searched as a text', () => {
  const deep = `${'['.repeat(200_000)}"planted-value-of-a-secret"${']'.repeat(200_000)}`
  const { clean } = cleanWith({ key: 'planted-value-of-a-secret' }, { deep })
  expect(JSON.stringify(clean)).not.toContain('planted')
})
