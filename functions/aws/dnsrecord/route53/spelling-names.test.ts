import { expect, test } from 'vitest'
import { canonicalName, isWithin } from './spelling.ts'

test.each([
  ['API.Example.COM.', 'api.example.com'],
  ['*.example.com', '\\052.example.com'],
  ['\\052.example.com.', '\\052.example.com'],
  ['\\141pi.example.com', 'api.example.com'],
  ['\\101pi.example.com', 'api.example.com'],
  ['a\\056b.example.com', 'a\\056b.example.com'],
  ['_acme-challenge.example.com', '_acme-challenge.example.com'],
  ['f\\374bar.example.com', 'f\\374bar.example.com'],
  ['fübar.example.com', 'f\\303\\274bar.example.com'],
  ['.', ''],
  ['', ''],
])('the name %s is compared as %s', (name, canonical) => {
  expect(canonicalName(name)).toBe(canonical)
})

test.each([
  ['a.foo.com', 'foo.com.', true],
  ['foo.com', 'FOO.com', true],
  ['afoo.com', 'foo.com', false],
  ['foo.com', 'a.foo.com', false],
  ['*.foo.com', 'foo.com', true],
  ['x\\056foo.com', 'foo.com', false],
])('%s is within the zone %s: %s', (name, zone, within) => {
  expect(isWithin(name, zone)).toBe(within)
})
