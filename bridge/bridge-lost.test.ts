import { expect, test } from 'vitest'
import { eventMessage } from '../shared/events/events.ts'
import type { Bridge } from './create-bridge.ts'
import { type BridgeTestSeed, claimed, namespace, succeeded, useSeeds } from './testing/test-seed.ts'
import { readDeadLetter } from './undelivered/read-dead-letter.ts'

const newSeed = useSeeds()

/** Returns the event as the broker's dead letter, after the bridge has read it. */
const lose = (seed: BridgeTestSeed, bridge: Bridge, index = -1, more: Record<string, string> = {}) => {
  const event = seed.events.at(index)
  const letter =
    event && readDeadLetter({ ...eventMessage(event).headers, 'ce-knativeerrorcode': '503', ...more })
  return letter === undefined ? 'unreadable' : bridge.lost(letter)
}
const lost = (seed: BridgeTestSeed) => seed.observed.filter(event => event.type === 'lost')

test('an undelivered event is sent again after 1, 4, 16, 64, 256 and then 720 s, with the same id', async () => {
  const seed = newSeed()
  seed.put('DNSRecord', 'one', { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  for (const wait of [1, 4, 16, 64, 256, 720, 720]) {
    const sent = seed.events.length
    expect(lose(seed, bridge)).toBe('sent again')
    await seed.clock.advance(wait * 1_000 - 1)
    expect(seed.events).toHaveLength(sent)
    await seed.clock.advance(1)
    expect(seed.events).toHaveLength(sent + 1)
  }
  expect(new Set(seed.events.map(({ id }) => id)).size).toBe(1)
  expect(new Set(seed.events.map(({ sending }) => sending)).size).toBe(seed.events.length)
})

test('the reason is among the waiting objects and in the events of the bridge', async () => {
  const seed = newSeed()
  seed.put('DNSRecord', 'one', { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  lose(seed, bridge, -1, { 'ce-knativeerrordest': 'http://aws-dnsrecord.trellis.svc.cluster.local/' })
  const why = 'aws-dnsrecord.trellis.svc.cluster.local answered 503'
  expect(bridge.waiting()).toMatchObject([{ state: 'waiting', why: 'not delivered', lastError: why }])
  expect(lost(seed)).toMatchObject([
    { times: 1, why, at: seed.clock.now() + 1_000, object: `${namespace}/one` },
  ])
})

test('a report counts once, and only for the last request of the event', async () => {
  const seed = newSeed()
  seed.put('DNSRecord', 'one', { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  expect(lose(seed, bridge)).toBe('sent again')
  expect(lose(seed, bridge)).toBe('outdated')
  await seed.clock.advance(1_000)
  expect(lose(seed, bridge, 0)).toBe('outdated')
  expect(lose(seed, bridge, 1)).toBe('sent again')
})

test.each([
  ['without the secret of the request', { 'ce-sending': '' }, 'unreadable'],
  ['with an invented secret', { 'ce-sending': 'AAAAAAAAAAAAAAAAAAAAAA' }, 'outdated'],
  ['about another event', { 'ce-id': 'another' }, 'outdated'],
  ['about another object', { 'ce-name': 'two' }, 'outdated'],
  ['about an unknown kind', { 'ce-kind': 'constructor' }, 'unreadable'],
  ['with a huge attribute', { 'ce-id': 'x'.repeat(10_000) }, 'unreadable'],
])('a report %s changes nothing', async (_, more, result) => {
  const seed = newSeed()
  seed.put('DNSRecord', 'one', { operation: 'reconcile' })
  seed.put('DNSRecord', 'two', { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  expect(lose(seed, bridge, 0, more)).toBe(result)
  await seed.clock.advance(30_000)
  expect([seed.events.length, lost(seed)]).toEqual([2, []])
})

test('an object that was claimed, is done or is gone meanwhile gets no event', async () => {
  const seed = newSeed()
  for (const name of ['claimed', 'done', 'gone']) seed.put('DNSRecord', name, { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  seed.put('DNSRecord', 'claimed', claimed(seed.events[0]))
  seed.put('DNSRecord', 'done', { last: succeeded })
  seed.kubernetes.remove(
    { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'dnsrecords', namespaced: true },
    { namespace, name: 'gone' },
  )
  await seed.clock.advance(0)
  for (const index of [0, 1, 2]) expect(lose(seed, bridge, index)).toBe('outdated')
  await seed.clock.advance(10_000)
  expect(seed.events).toHaveLength(3)
})

test('an object whose shoot fails meanwhile is held', async () => {
  const seed = newSeed()
  seed.put('DNSRecord', 'one', { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  lose(seed, bridge)
  seed.shoot('Failed')
  await seed.clock.advance(60_000)
  expect(seed.events).toHaveLength(1)
  seed.shoot('Succeeded')
  await seed.clock.advance(1_000)
  expect(seed.events).toHaveLength(2)
})

test('a new request of the object does not wait, and begins with the first wait', async () => {
  const seed = newSeed()
  seed.put('DNSRecord', 'one', { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  for (const wait of [1_000, 4_000]) {
    lose(seed, bridge)
    await seed.clock.advance(wait)
  }
  lose(seed, bridge)
  const sent = seed.events.length
  seed.put('DNSRecord', 'one', { operation: 'reconcile', timestamp: '2026-11-21T12:00:30Z' })
  await seed.clock.advance(5_000)
  expect(seed.events).toHaveLength(sent + 1)
  lose(seed, bridge)
  await seed.clock.advance(1_000)
  expect(seed.events).toHaveLength(sent + 2)
})

test('a dead letter that arrives before the answer of the sink counts', async () => {
  const seed = newSeed()
  seed.put('DNSRecord', 'one', { operation: 'reconcile' })
  seed.sink = async () => {
    await seed.clock.sleep(seed.events.length === 1 ? 2_000 : 0, new AbortController().signal)
    return { kind: 'accepted' }
  }
  const { bridge } = await seed.bridge()
  expect(lose(seed, bridge)).toBe('sent again')
  await seed.clock.advance(2_000)
  expect(seed.events).toHaveLength(2)
})

test('an object whose event is lost again and again counts as unclaimed', async () => {
  const seed = newSeed()
  seed.put('DNSRecord', 'one', { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  const unclaimed = () => bridge.counts().get('DNSRecord')?.unclaimed
  lose(seed, bridge)
  await seed.clock.advance(1_000)
  expect(unclaimed()).toBe(0)
  lose(seed, bridge)
  expect(unclaimed()).toBe(1)
  await seed.clock.advance(4_000)
  expect(unclaimed()).toBe(1)
  seed.put('DNSRecord', 'one', claimed(seed.events.at(-1)))
  await seed.clock.advance(0)
  expect(unclaimed()).toBe(0)
})

test('an object without a function is still reported as unclaimed if the broker only loses its first event', async () => {
  const seed = newSeed()
  seed.put('DNSRecord', 'one', { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  lose(seed, bridge)
  await seed.clock.advance(1_000 + 90_000)
  expect(seed.events).toHaveLength(3)
  expect(seed.observed.filter(({ type }) => type === 'unclaimed')).toHaveLength(1)
})
