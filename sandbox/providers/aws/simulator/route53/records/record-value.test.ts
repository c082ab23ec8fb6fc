import { describe, expect, test } from 'vitest'
import { canonicalValue, valueProblem } from './record-value.ts'

const ipv4 = (value: string) =>
  `Invalid Resource Record: 'FATAL problem: ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with '${value}''`
const ipv6 = (value: string) =>
  `Invalid Resource Record: 'FATAL problem: AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address) encountered with '${value}''`
const unquoted = (value: string) =>
  `Invalid Resource Record: 'FATAL problem: InvalidCharacterString (Value should be enclosed in quotation marks) encountered with '${value}''`

describe('record values', () => {
  test.each([
    ['A', '1.2.3.4'],
    ['AAAA', '2001:db8::1'],
    ['AAAA', '::'],
    ['CNAME', 'target.example.com'],
    ['CNAME', '*.example.com.'],
    ['TXT', '"one"'],
    ['TXT', '"one" "two words"'],
    ['TXT', '"with \\" quote"'],
    ['TXT', '""'],
    ['TXT', `"${'x'.repeat(255)}"`],
    ['MX', '10 mail.example.com'],
    ['SRV', '1 10 5269 xmpp.example.com'],
    ['CAA', '0 issue "letsencrypt.org"'],
    ['NS', 'ns-1.awsdns-01.org.'],
    ['SOA', 'ns. hostmaster.example.com. 1 7200 900 1209600 86400'],
  ])('%s %s is accepted', (type, value) => {
    expect(valueProblem(type, value)).toBeUndefined()
  })

  test.each([
    ['A', 'host.example.com', ipv4('host.example.com')],
    ['A', '256.1.1.1', ipv4('256.1.1.1')],
    ['A', '2001:db8::1', ipv4('2001:db8::1')],
    [
      'A',
      '1.2.3.4, 1.2.3.5',
      "Invalid Resource Record: 'FATAL problem: ARRDATANotSingleField (Value contains spaces) encountered with '1.2.3.4, 1.2.3.5''",
    ],
    ['AAAA', '1.2.3.4', ipv6('1.2.3.4')],
    ['AAAA', 'fe80::1%eth0', ipv6('fe80::1%eth0')],
    ['TXT', 'plain', unquoted('plain')],
    ['TXT', '"open', unquoted('"open')],
    ['TXT', '"a"b', unquoted('"a"b')],
    ['TXT', '', unquoted('')],
    [
      'TXT',
      `"${'x'.repeat(256)}"`,
      `Invalid Resource Record: 'FATAL problem: CharacterStringTooLong (Value is too long) encountered with '"${'x'.repeat(256)}"''`,
    ],
    [
      'CNAME',
      'a..b',
      "Invalid Resource Record: 'FATAL problem: DomainLabelEmpty (Domain label is empty) encountered with 'a..b''",
    ],
  ])('%s %s is refused in AWS’s words', (type, value, text) => {
    expect(valueProblem(type, value)).toBe(text)
  })

  test.each([
    ['AAAA', '2001:0DB8:0:0::1', '2001:db8::1'],
    ['CNAME', 'Target.Example.com', 'target.example.com.'],
    ['A', ' 1.2.3.4', '1.2.3.4'],
    ['TXT', '"Case"', '"Case"'],
  ])('%s %s is the same data as %s', (type, one, other) => {
    expect(canonicalValue(type, one)).toBe(canonicalValue(type, other))
  })
})
