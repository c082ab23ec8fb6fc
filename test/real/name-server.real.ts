import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createNameServerClient,
  type DesiredRecords,
  ensureRecords,
  type NameServerClient,
  overNetwork,
  parseNameServerAddress,
  removeRecords,
} from '../../functions/local/dnsrecord/name-server/name-server.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { type RunningNameServer, startNameServer } from './name-server.ts'
import { describeWith } from './with-part.ts'

const zone = 'example.org'
const step = { signal: new AbortController().signal, throwIfExpired: () => {} }
const many = Array.from({ length: 200 }, (_, index) => `192.0.2.${index}`)

describeWith('python', 'a name server made of dnspython', programs => {
  let server: RunningNameServer
  let client: NameServerClient
  const clientOf = (of: string): NameServerClient => {
    const address = parseNameServerAddress(server.address)
    if (address === undefined) throw new Error(`no address: ${server.address}`)
    return createNameServerClient({ transport: overNetwork(address), zone: of, clock: systemClock })
  }
  beforeAll(async () => {
    server = await startNameServer(programs, zone)
    client = clientOf(zone)
  })
  afterAll(() => server?.close())

  test.each<[string, DesiredRecords, Partial<DesiredRecords>]>([
    [
      'addresses',
      { name: 'a.example.org', type: 'A', values: ['192.0.2.1', '192.0.2.2'], ttl: 123 },
      { ttl: 5 },
    ],
    [
      'addresses of IPv6',
      { name: '*.six.example.org', type: 'AAAA', values: ['2001:db8::1', '::ffff:192.0.2.1'], ttl: 123 },
      { values: ['2001:db8::2'] },
    ],
    [
      'a name',
      { name: 'Alias.example.org', type: 'CNAME', values: ['Target.example.net.'], ttl: 123 },
      { values: ['other.example.net'] },
    ],
    [
      'more than a datagram can hold',
      { name: 'many.example.org', type: 'A', values: many, ttl: 123 },
      { values: many.slice(1) },
    ],
  ])('has %s created, found unchanged, updated and removed', async (_, desired, change) => {
    const { name, type } = desired
    expect(await ensureRecords(client, desired, step)).toBe('changed')
    expect(await ensureRecords(client, desired, step)).toBe('same')
    expect(await client.read({ name, type }, step.signal)).toHaveLength(desired.values.length)
    const changed = { ...desired, ...change }
    expect(await ensureRecords(client, changed, step)).toBe('changed')
    expect(await ensureRecords(client, changed, step)).toBe('same')
    expect(await removeRecords(client, { name, type }, step)).toBe('removed')
    expect(await removeRecords(client, { name, type }, step)).toBe('absent')
  })

  test('refuses as it is not the primary server of another zone', async () => {
    const other: DesiredRecords = { name: 'a.example.net', type: 'A', values: ['192.0.2.1'], ttl: 123 }
    await expect(ensureRecords(clientOf('example.net'), other, step)).rejects.toThrow(
      'DNS update failed with rcode: NOTAUTH',
    )
  })
})
