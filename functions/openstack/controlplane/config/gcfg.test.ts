import { expect, test } from 'vitest'
import { optionalLine, quoted } from './gcfg.ts'

/** Reads a quoted value as gcfg does (gopkg.in/gcfg.v1, `read.go`): four escapes, and no others. */
const read = (text: string): string => {
  const [, inner] = /^"((?:[^"\\\n]|\\["\\nt])*)"$/.exec(text) ?? []
  if (inner === undefined) throw new Error(`gcfg refuses ${text}`)
  return inner.replace(/\\(.)/g, (_, char) => ({ n: '\n', t: '\t' })[String(char)] ?? char)
}

test.each([
  'plain',
  '',
  'quo"te',
  'back\\slash',
  'ends with a backslash\\',
  '\\"',
  'a line\nand\ta tab',
  "it's; #not a comment = x",
  'pässwörd ✓',
  '\\n',
])('gcfg reads %j as it was (D19)', value => {
  expect(read(quoted(value))).toBe(value)
})

test('a usual value has the same text as in the Go extension', () => {
  expect(quoted('https://keystone.example.com:5000/v3')).toBe('"https://keystone.example.com:5000/v3"')
})

test('an empty value has no line', () => {
  expect([optionalLine('a', undefined), optionalLine('a', ''), optionalLine('a', 'b')]).toEqual([
    [],
    [],
    ['a="b"'],
  ])
})
