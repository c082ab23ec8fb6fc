import { expect, test } from 'vitest'
import { parseNameServerAddress } from './name-server.ts'

test.each([
  ['ns.local.gardener.cloud:53', { host: 'ns.local.gardener.cloud', port: 53 }],
  ['ns.example.org', { host: 'ns.example.org', port: 53 }],
  ['192.0.2.1:5353', { host: '192.0.2.1', port: 5353 }],
  ['[2001:db8::1]:5353', { host: '2001:db8::1', port: 5353 }],
  ['[2001:db8::1]', { host: '2001:db8::1', port: 53 }],
  ['2001:db8::1', { host: '2001:db8::1', port: 53 }],
])('%s is an address', (text, address) => {
  expect(parseNameServerAddress(text)).toEqual(address)
})

test.each(['', ':53', 'a:b', 'a:0', 'a:65536', 'a:1:2', '[a]:53', 'udp://a', 'a b', 'a/b'])(
  '%j is not a range',
  text => {
    expect(parseNameServerAddress(text)).toBeUndefined()
  },
)
