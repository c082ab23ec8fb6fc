import { StandardRetryStrategy } from '@smithy/core/retry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addHostedZone } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { clientSettings } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import type { DesiredRecord } from './plan.ts'
import { planRecord } from './plan.ts'
import { sdkRoute53 } from './route53.ts'

/** Texts that are hard to quote: quotes, backslashes, digits after them, and other alphabets. */
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', '\\', '0', '3', '7', '9', 'a', ' ', 'ü', '\t', '😀'),
    minLength: 1,
    maxLength: 600,
  }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
  fc.integer({ min: 250, max: 600 }).map(count => '\\ü'.repeat(count)),
)

const encoder = new TextEncoder()

/** Returns the bytes of a text. Octal codes, `\"` and `\\` are escapes; everything else is literal. */
const bytesOf = (string: string): number[] => {
  const bytes: number[] = []
  for (let at = 0; at < string.length; ) {
    const code = string.slice(at + 1, at + 4)
    const escaped = string[at + 1]
    if (string[at] === '\\' && /^[0-3][0-7]{2}$/.test(code)) {
      bytes.push(Number.parseInt(code, 8))
      at += 4
    } else if (string[at] === '\\' && (escaped === '"' || escaped === '\\')) {
      bytes.push(escaped.charCodeAt(0))
      at += 2
    } else {
      const character = String.fromCodePoint(string.codePointAt(at) ?? 0)
      bytes.push(...encoder.encode(character))
      at += character.length
    }
  }
  return bytes
}

/**
 * Returns the strings in a DNS response for a value, parsed like Route 53 (Developer Guide, "TXT record type"):
 * character by character, three octal digits after a backslash are a byte, and a backslash may escape a quote or a
 * backslash. Before any other printable character the backslash is retained here, whatever the server does, because
 * that was requested. Everything else is malformed.
 */
const answeredFor = (value: string): number[][] => {
  const strings: number[][] = []
  let open: number[] | undefined
  for (let at = 0; at < value.length; at++) {
    const character = value[at] ?? ''
    if (character < ' ' || character > '~') throw new Error(`${JSON.stringify(character)} in ${value}`)
    if (open === undefined) {
      if (character === '"') open = []
      else if (character !== ' ') throw new Error(`${character} between the strings of ${value}`)
    } else if (character === '"') {
      strings.push(open)
      open = undefined
    } else if (character !== '\\') {
      open.push(character.charCodeAt(0))
    } else {
      const next = value[at + 1] ?? ''
      if (/[0-9]/.test(next)) {
        const code = value.slice(at + 1, at + 4)
        if (!/^[0-3][0-7]{2}$/.test(code)) throw new Error(`\\${code} in ${value}`)
        open.push(Number.parseInt(code, 8))
        at += 3
      } else if (next === '"' || next === '\\') {
        open.push(next.charCodeAt(0))
        at++
      } else {
        open.push(character.charCodeAt(0))
      }
    }
  }
  if (open !== undefined) throw new Error(`a string of ${value} has no end`)
  return strings
}

/** Returns true for a value that is not written as quoted strings. */
const isPlain = (value: string): boolean => !value.startsWith('"')

const zone = 'Z0EXAMPLE'
const desiredOf = (value: string): DesiredRecord => ({
  name: 'text.example.com',
  type: 'TXT',
  values: [value],
  ttl: 120,
  ipStack: 'ipv4',
})

test('the DNS returns each value unchanged, in strings of at most 255 bytes, and then nothing differs', async () => {
  const aws = shuffledAws()
  addHostedZone(aws.account(), { name: 'example.com', id: zone })
  const route53 = sdkRoute53(
    clientSettings(
      { requestHandler: aws.requestHandler, retryStrategy: new StandardRetryStrategy(1) },
      'us-east-1',
      { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
    ),
    () => {},
  )
  const { signal } = new AbortController()
  const stored = () => route53.listRecordSets(zone, { name: 'text.example.com', fromType: 'TXT' }, signal)

  await fc.assert(
    fc.asyncProperty(text.filter(isPlain), async value => {
      const changes = planRecord(desiredOf(value), await stored())
      if (changes.length > 0) await route53.changeRecordSets(zone, changes, signal)
      const there = await stored()
      const strings = answeredFor(there[0]?.values?.[0] ?? '')
      expect(Buffer.from(strings.flat()).toString('hex')).toBe(Buffer.from(bytesOf(value)).toString('hex'))
      expect(Math.max(...strings.map(({ length }) => length))).toBeLessThanOrEqual(255)
      expect(planRecord(desiredOf(value), there)).toEqual([])
    }),
  )
})
