import { expect, test } from 'vitest'
import { redact } from './redact.ts'

const secretOf = (data: Readonly<Record<string, string>>) => ({
  name: 'credentials',
  namespace: 'a',
  labels: {},
  data,
})

test.each<[what: string, data: Readonly<Record<string, string>>, text: string, redacted: string]>([
  ['a value', { key: 'planted-secret' }, 'key planted-secret is refused', 'key [redacted] is refused'],
  ['a value with a line break at its end', { key: 'planted-secret\n' }, 'planted-secret!', '[redacted]!'],
  [
    'a value that contains another one',
    { key: 'planted-secret', pair: 'user:planted-secret:and-its-end' },
    'refused: user:planted-secret:and-its-end',
    'refused: [redacted]',
  ],
  [
    'a value that begins with the end of another one',
    { one: 'begin-of-it-and-middle', other: 'and-middle-end' },
    'refused: begin-of-it-and-middle-end.',
    'refused: [redacted].',
  ],
  [
    'a value that repeats itself',
    { key: 'ababababababab' },
    'refused: ababababababababa.',
    'refused: [redacted]a.',
  ],
  [
    'a value of several lines that contains another one, as JSON writes it',
    { account: '{\n "key": "planted-secret",\n "more": "the-end"\n}', key: 'planted-secret' },
    'Unexpected: "{\\n \\"key\\": \\"planted-secret\\",\\n \\"more\\": \\"the-end\\"\\n}"',
    'Unexpected: "[redacted]"',
  ],
  [
    'a value in a URL',
    { key: 'planted/secret+of=letters' },
    'GET /?token=planted%2Fsecret%2Bof%3Dletters failed',
    'GET /?token=[redacted] failed',
  ],
  [
    'one line of a value',
    { key: '-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA\nshort\n-----END KEY-----' },
    'bad base64: MIIEpAIBAAKCAQEA',
    'bad base64: [redacted]',
  ],
])('%s is redacted completely', (_, data, text, redacted) => {
  expect(redact(text, secretOf(data))).toBe(redacted)
})

test('a short value and a text without a Secret are unchanged', () => {
  expect(redact('in eu-west-1', secretOf({ region: 'eu-west-1' }))).toBe('in eu-west-1')
  expect(redact('planted-secret', undefined)).toBe('planted-secret')
})
