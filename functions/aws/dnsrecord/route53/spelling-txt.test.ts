import { expect, test } from 'vitest'
import { txtKey, txtValue } from './spelling.ts'

const a = (count: number) => 'a'.repeat(count)

test.each([
  ['a plain text is quoted', 'v=spf1 -all', '"v=spf1 -all"'],
  ['a quoted text stays as it is', '"v=spf1 -all"', '"v=spf1 -all"'],
  ['several quoted strings stay as they are', '"a" "b"', '"a" "b"'],
  ['an empty quoted string stays', '""', '""'],
  ['a bare quote is escaped', 'say "hi" now', '"say \\"hi\\" now"'],
  ['an escaped quote stays escaped', 'say \\"hi\\" now', '"say \\"hi\\" now"'],
  ['a single quote character is text', '"', '"\\""'],
  ['a quote in the middle of a quoted text makes it text', '"a"b"', '"\\"a\\"b\\""'],
  ['an escaped last quote ends no string', '"a\\"', '"\\"a\\""'],
  ['a backslash in the middle stays', 'c:\\temp', '"c:\\temp"'],
  ['a backslash at the end is escaped', 'dir\\', '"dir\\\\"'],
  ['a backslash before another alphabet is escaped', '\\ü', '"\\\\\\303\\274"'],
  ['a backslash before a control character is escaped', '\\\t', '"\\\\\\011"'],
  ['a backslash before digits that are no octal code is escaped', '\\9 \\400', '"\\\\9 \\\\400"'],
  ['a backslash before another escape is escaped', '\\\\\\374', '"\\\\\\374"'],
  ['an octal code stays', 'f\\374bar', '"f\\374bar"'],
  ['other alphabets become octal codes', 'fü', '"f\\303\\274"'],
  ['control characters become octal codes', 'a\tb', '"a\\011b"'],
  ['255 characters fit into one string', a(255), `"${a(255)}"`],
  ['256 characters need two strings', a(256), `"${a(255)}" "a"`],
  ['a quoted text that is too long is split', `"${a(300)}"`, `"${a(255)}" "${a(45)}"`],
  ['an octal code is not split', `${a(254)}\\374\\374`, `"${a(254)}\\374" "\\374"`],
  ['a character of two bytes is not split', `${a(254)}ü`, `"${a(254)}" "\\303\\274"`],
  ['a split leaves no backslash to escape the quote', `${a(254)}\\t`, `"${a(254)}\\\\" "t"`],
])('%s', (_, value, sent) => {
  expect(txtValue(value)).toBe(sent)
})

/** The format of the Go extension (`ensureQuoted`), which only adds quotes. */
const sentByGo = (value: string) => (value.startsWith('"') && value.endsWith('"') ? value : `"${value}"`)

test.each(['v=spf1 -all', 'v=DKIM1\\; k=rsa', '"a" "b"', '"say \\"hi\\""', '"f\\303\\274"'])(
  'the value %s, which Route 53 accepts from the Go extension, is sent in the same spelling',
  value => {
    expect(txtValue(value)).toBe(sentByGo(value))
  },
)

test('a bare quote equals its escape in a quoted value, so the change costs no write', () => {
  expect(txtKey(txtValue('say "hi"'))).toBe(txtKey(txtValue('"say \\"hi\\""')))
})

test.each([
  ['"fü"', '"f\\303\\274"', true],
  ['"a b"', '"a\\040b"', true],
  ['"a" "b"', '"a"   "b"', true],
  ['"c:\\temp"', '"c:\\134temp"', true],
  ['"a" "b"', '"ab"', false],
  ['"A"', '"a"', false],
  ['"a"', '"b"', false],
  ['"a"', 'a', false],
])('%s and %s are the same text: %s', (one, other, same) => {
  expect(txtKey(one) === txtKey(other)).toBe(same)
})
