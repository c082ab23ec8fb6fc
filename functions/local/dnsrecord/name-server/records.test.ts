import { afterEach, describe, expect, test } from 'vitest'
import {
  createNameServer,
  type ListeningNameServer,
  type NameServerCall,
  type NameServerFaultOrder,
} from '../../../../sandbox/providers/local/name-server/name-server.ts'
import { systemClock, virtualClock } from '../../../../shared/clock/clock.ts'
import {
  createNameServerClient,
  type DesiredRecords,
  ensureRecords,
  inMemory,
  overNetwork,
  parseNameServerAddress,
  removeRecords,
} from './name-server.ts'

const zone = 'example.org'
const closing: ListeningNameServer[] = []
afterEach(async () => {
  for (const listening of closing.splice(0)) await listening.close()
})

/** A name server, and steps on its records, over the network or in this process. */
const setUp = async (way: 'network' | 'memory' = 'memory', servedZone = zone) => {
  const server = createNameServer({ zone: servedZone })
  const calls: NameServerCall[] = []
  server.onCall(call => calls.push(call))
  const clock = way === 'network' ? systemClock : virtualClock(0)
  const listening = way === 'network' ? await server.listen({ port: 0 }) : undefined
  if (listening !== undefined) closing.push(listening)
  const address = parseNameServerAddress(listening?.address ?? '')
  const client = createNameServerClient({
    transport: address === undefined ? inMemory(server.answer) : overNetwork(address),
    zone,
    clock,
  })
  const step = { signal: new AbortController().signal, throwIfExpired: () => {} }
  return {
    server,
    calls,
    clock,
    client,
    step,
    keep: (desired: Partial<DesiredRecords> = {}, more: Partial<typeof step> = {}) =>
      ensureRecords(client, { ...addresses, ...desired }, { ...step, ...more }),
    remove: (more: Partial<typeof step> = {}) => removeRecords(client, addresses, { ...step, ...more }),
    said: () => calls.splice(0).map(({ opcode, over, rcode }) => `${opcode} ${over} ${rcode ?? 'nothing'}`),
    lines: () => server.records().map(({ name, type, ttl, data }) => `${name} ${ttl} ${type} ${data}`),
  }
}

const addresses: DesiredRecords = {
  name: 'api.example.org',
  type: 'A',
  values: ['192.0.2.1', '192.0.2.2'],
  ttl: 123,
}

/** Advances the clock until the work ends. */
const inTime = async <T>(clock: ReturnType<typeof virtualClock>, work: Promise<T>): Promise<T> => {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  ended.catch(() => {})
  while (!isOver) await clock.advance(1_000)
  return ended
}

describe.each(['network', 'memory'] as const)('DNS records by %s', way => {
  test('records are created, found unchanged, updated, and removed', async () => {
    const { keep, remove, said, lines } = await setUp(way)
    expect(await keep()).toBe('changed')
    expect(lines()).toEqual(['api.example.org 123 A 192.0.2.1', 'api.example.org 123 A 192.0.2.2'])
    expect(said()).toEqual(['QUERY udp NXDOMAIN', 'UPDATE udp NOERROR', 'QUERY udp NOERROR'])

    expect(await keep()).toBe('same')
    expect(said()).toEqual(['QUERY udp NOERROR'])

    expect(await keep({ values: ['192.0.2.3'] })).toBe('changed')
    expect(lines()).toEqual(['api.example.org 123 A 192.0.2.3'])
    said()

    expect(await remove()).toBe('removed')
    expect(lines()).toEqual([])
    expect(said()).toEqual(['QUERY udp NOERROR', 'UPDATE udp NOERROR'])

    expect(await remove()).toBe('absent')
    expect(said()).toEqual(['QUERY udp NXDOMAIN'])
  })

  test('a message that is too large for UDP is sent by TCP, and so is the retry after a truncated answer', async () => {
    const { keep, said, lines } = await setUp(way)
    const values = Array.from({ length: 100 }, (_, index) => `192.0.2.${index}`)
    expect(await keep({ values })).toBe('changed')
    expect(lines()).toHaveLength(100)
    expect(said()).toEqual([
      'QUERY udp NXDOMAIN',
      'UPDATE tcp NOERROR',
      'QUERY udp NOERROR',
      'QUERY tcp NOERROR',
    ])
    expect(await keep({ values })).toBe('same')
  })
})

test.each<[string, Partial<DesiredRecords>, Partial<DesiredRecords>]>([
  ['order', { values: ['192.0.2.1', '192.0.2.2'] }, { values: ['192.0.2.2', '192.0.2.1'] }],
  ['repetition', { values: ['192.0.2.1'] }, { values: ['192.0.2.1', '192.0.2.1'] }],
  [
    'ways to write an IPv6 address',
    { type: 'AAAA', values: ['2001:db8::1'] },
    { type: 'AAAA', values: ['2001:DB8:0:0::1'] },
  ],
  [
    'mapped IPv6 addresses',
    { type: 'AAAA', values: ['::ffff:192.0.2.1'] },
    { type: 'AAAA', values: ['::ffff:c000:201'] },
  ],
  [
    'the dot and the case of a target',
    { type: 'CNAME', values: ['Target.example.net.'] },
    { type: 'CNAME', values: ['target.example.net'] },
  ],
  ['the case of a name', { name: 'API.example.org' }, { name: 'api.example.org.' }],
  ['a wildcard', { name: '*.api.example.org' }, { name: '*.api.example.org' }],
])('%s makes no difference', async (_, first, second) => {
  const { keep } = await setUp()
  expect(await keep(first)).toBe('changed')
  expect(await keep(second)).toBe('same')
})

test.each<[string, Partial<DesiredRecords>]>([
  ['another time to live', { ttl: 124 }],
  ['one value less', { values: ['192.0.2.1'] }],
  ['one value more', { values: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] }],
])('%s is written', async (_, change) => {
  const { keep } = await setUp()
  await keep()
  expect(await keep(change)).toBe('changed')
  expect(await keep(change)).toBe('same')
})

test('the query asks the server itself without recursion', async () => {
  const { keep, calls } = await setUp()
  await keep()
  expect(calls.map(({ recursionDesired }) => recursionDesired)).toEqual([false, false, false])
})

test('the answer of a cache is ignored, whether it has the record or not', async () => {
  const { keep, remove, said, server, lines } = await setUp()
  await keep()
  said()
  server.faults.add({ fault: { kind: 'cached', age: 0 }, opcode: 'QUERY' })
  expect(await keep()).toBe('changed')
  expect(said()).toEqual(['QUERY udp NOERROR', 'UPDATE udp NOERROR', 'QUERY udp NOERROR'])

  server.faults.add({ fault: { kind: 'cached', age: 0 }, opcode: 'QUERY' })
  expect(await remove()).toBe('removed')
  server.faults.add({ fault: { kind: 'cached', age: 0 }, opcode: 'QUERY' })
  expect(await remove()).toBe('removed')
  expect(lines()).toEqual([])
})

test('a server that answers no queries still accepts updates', async () => {
  const { keep, server } = await setUp()
  server.faults.add({ fault: { kind: 'refuse', rcode: 'REFUSED' }, opcode: 'QUERY', times: 2 })
  expect(await keep()).toBe('changed')
})

test.each<[NameServerFaultOrder['fault']]>([
  [{ kind: 'forge', what: 'id' }],
  [{ kind: 'forge', what: 'question' }],
])('an answer from another sender is ignored: %o', async fault => {
  const { keep, server, said, lines } = await setUp('network')
  server.faults.add({ fault, times: 3 })
  expect(await keep()).toBe('changed')
  expect(lines()).toHaveLength(2)
  expect(said()).toHaveLength(3)
})

test('an echo of the message is no answer', async () => {
  const clock = virtualClock(0)
  const transport = inMemory(message => Buffer.from(message))
  const client = createNameServerClient({ transport, zone, clock })
  const writing = client.write(addresses, addresses, new AbortController().signal)
  const refused = expect(writing).rejects.toThrow('DNS update exchange failed')
  await clock.advance(10_000)
  await refused
})

test.each<[NameServerFaultOrder['fault']['kind'] & ('drop' | 'drop-answer')]>([['drop'], ['drop-answer']])(
  'a lost message is sent again, and again after a longer pause: %s',
  async kind => {
    const { keep, server, said, clock, lines } = await setUp()
    server.faults.add({ fault: { kind }, opcode: 'UPDATE', times: 2 })
    expect(await inTime(clock as ReturnType<typeof virtualClock>, keep())).toBe('changed')
    expect(lines()).toHaveLength(2)
    expect(said()).toEqual([
      'QUERY udp NXDOMAIN',
      'UPDATE udp nothing',
      'UPDATE udp nothing',
      'UPDATE udp NOERROR',
      'QUERY udp NOERROR',
    ])
    // Two missing answers of 2 s each, and the pauses after them.
    expect(clock.now()).toBeGreaterThanOrEqual(5_250)
  },
)

test('a server that never answers causes an error after three messages', async () => {
  const { keep, server, said, clock } = await setUp()
  server.faults.add({ fault: { kind: 'drop' }, opcode: 'UPDATE', times: 9 })
  await expect(inTime(clock as ReturnType<typeof virtualClock>, keep())).rejects.toThrow(
    'DNS update exchange failed: no answer by udp within 2000 ms',
  )
  expect(said().filter(line => line.startsWith('UPDATE'))).toHaveLength(3)
})

test.each<[(NameServerFaultOrder['fault'] & { kind: 'refuse' })['rcode'], string]>([
  ['SERVFAIL', 'DNS update failed with rcode: SERVFAIL'],
  [
    'REFUSED',
    'DNS update failed with rcode: REFUSED: the name server reports for zone example.org: it refuses updates of the zone from this address',
  ],
  [
    'NOTAUTH',
    'DNS update failed with rcode: NOTAUTH: the name server reports for zone example.org: it is not the primary server of the zone',
  ],
  [
    'NOTIMP',
    'DNS update failed with rcode: NOTIMP: the name server reports for zone example.org: it does not support updates',
  ],
])('the error names the answer %s of a server', async (rcode, text) => {
  const { keep, remove, server } = await setUp()
  server.faults.add({ fault: { kind: 'refuse', rcode }, opcode: 'UPDATE' })
  await expect(keep()).rejects.toThrow(new Error(text))
  await keep()
  server.faults.add({ fault: { kind: 'refuse', rcode }, opcode: 'UPDATE' })
  await expect(remove()).rejects.toThrow(new Error(text))
})

test('a server of another zone refuses', async () => {
  const { keep } = await setUp('memory', 'example.com')
  await expect(keep()).rejects.toThrow('NOTAUTH')
})

test('an update that the server has ignored is no success', async () => {
  const { keep, server } = await setUp()
  server.set({ name: 'api.example.org', type: 'CNAME', ttl: 60, data: 'other.example.net' })
  await expect(keep()).rejects.toThrow('has no effect')
  expect(server.records()).toHaveLength(1)
})

test('only the records of the given type of a name are removed', async () => {
  const { keep, remove, lines } = await setUp()
  await keep({ type: 'AAAA', values: ['2001:db8::1'] })
  await keep()
  await remove()
  expect(lines()).toEqual(['api.example.org 123 AAAA 2001:db8::1'])
})

test('nothing is written once the claim has expired', async () => {
  const { keep, remove, said } = await setUp()
  const throwIfExpired = () => {
    throw new Error('late')
  }
  await expect(keep({}, { throwIfExpired })).rejects.toThrow('late')
  await keep()
  said()
  await expect(remove({ throwIfExpired })).rejects.toThrow('late')
  expect(said()).toEqual(['QUERY udp NOERROR'])
})

test.each(['network', 'memory'] as const)('an abort ends the wait for an answer, by %s', async way => {
  const { keep, server } = await setUp(way)
  server.faults.add({ fault: { kind: 'drop' }, times: 9 })
  const controller = new AbortController()
  const reason = new Error('the step took too long')
  const work = keep({}, { signal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await expect(work).rejects.toBe(reason)
})

test('a message that would be too large causes an error before anything is sent', async () => {
  const { keep, said } = await setUp()
  const values = Array.from({ length: 4_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
  await expect(keep({ values })).rejects.toThrow('more than the limit of 65535')
  expect(said()).toEqual(['QUERY udp NXDOMAIN'])
})

test('a port without a server causes an error after three attempts', async () => {
  const listening = await createNameServer({ zone }).listen({ port: 0 })
  await listening.close()
  const address = parseNameServerAddress(listening.address)
  if (address === undefined) throw new Error('no address')
  const clock = virtualClock(0)
  const client = createNameServerClient({ transport: overNetwork(address), zone, clock })
  const work = ensureRecords(client, addresses, {
    signal: new AbortController().signal,
    throwIfExpired: () => {},
  })
  await expect(inTime(clock, work)).rejects.toThrow(/^DNS query exchange failed: (.*ECONNREFUSED|no answer)/)
})
