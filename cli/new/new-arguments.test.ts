import { expect, test } from 'vitest'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { parseClasses, parseName, parseTarget, parseType } from './new-arguments.ts'

test.each([
  ['acme/dnsrecord', { provider: 'acme', kind: 'DNSRecord' }],
  ['acme/DNSRecord', { provider: 'acme', kind: 'DNSRecord' }],
  ['acme/dnsrecords', { provider: 'acme', kind: 'DNSRecord' }],
  ['acme-2/osc', { provider: 'acme-2', kind: 'OperatingSystemConfig' }],
])('%s is a provider and a kind', (text, target) => {
  expect(parseTarget(text)).toEqual(target)
})

test.each([
  ['acme', '"acme" is not PROVIDER/KIND'],
  ['', '"" is not PROVIDER/KIND'],
  ['acme/', '"acme/" is not PROVIDER/KIND'],
  ['a/b/c', '"a/b/c" is not PROVIDER/KIND'],
  ['acme/dnsrecrod', 'unknown kind "dnsrecrod": did you mean DNSRecord?'],
  ['acme/pod', 'unknown kind "pod": known kinds: Infrastructure, DNSRecord,'],
  ['Acme/dnsrecord', 'the provider "Acme" cannot be a folder name: expected at most 63'],
  ['../dnsrecord', 'the provider ".." cannot be a folder name'],
  ['webhooks/dnsrecord', 'and not provider, webhooks'],
  [`${'a'.repeat(64)}/dnsrecord`, 'at most 63 lower-case letters'],
])('%j is refused as a target', (text, why) => {
  expect(() => parseTarget(text)).toThrow(UsageError)
  expect(() => parseTarget(text)).toThrow(why)
})

test.each(['Acme', 'a_b', '-a', 'a-', '1a', '', 'a'.repeat(64), "a'", 'a\nb', '$(x)'])(
  'Kubernetes refuses the name %j, and so does the type',
  text => {
    expect(() => parseName(text)).toThrow('Kubernetes refuses the name')
    expect(() => parseType(text)).toThrow('cannot be part of a name')
  },
)

test('classes are separated by commas, and duplicates are removed', () => {
  expect(parseClasses('shoot, seed,shoot')).toEqual(['shoot', 'seed'])
  expect(() => parseClasses('sede')).toThrow('unknown class "sede": did you mean seed?')
  expect(() => parseClasses('')).toThrow('unknown class "": known classes: shoot, seed, garden')
})
