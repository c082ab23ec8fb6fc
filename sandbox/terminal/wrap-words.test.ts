import { expect, test } from 'vitest'
import { wrapLines, wrapWords } from './wrap-words.ts'

test('a line breaks between words, and a word that is too long stays whole', () => {
  const long = 'a'.repeat(30)
  expect(wrapWords(`one two three four five six ${long} seven`, 20)).toEqual([
    'one two three four',
    'five six',
    long,
    'seven',
  ])
})

test('colours have no width', () => {
  expect(wrapWords('\u001b[31mone two three four five\u001b[0m', 23)).toHaveLength(1)
})

test('a plan continues on the next line, and output that is no terminal is not wrapped', () => {
  const text = '+ create VPC\n    cidr: 10.250.0.0/16 and more of the words here\n'
  expect(wrapLines(text, 32)).toBe(
    '+ create VPC\n    cidr: 10.250.0.0/16 and\n        more of the words here\n',
  )
  expect(wrapLines(text, undefined)).toBe(text)
})
