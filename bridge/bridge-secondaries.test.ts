import { expect, test } from 'vitest'
import { formatMilliseconds } from '../shared/clock/clock.ts'
import { kinds } from '../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../shared/events/events.ts'
import { markOf, routeOf } from '../shared/secondary/secondary.ts'
import type { Selection } from './core/core.ts'
import {
  type BridgeTestSeed,
  claimed,
  inWords,
  namespace,
  type RecordChanges,
  succeeded,
  useSeeds,
} from './testing/test-seed.ts'

const newSeed = useSeeds()
const kind = 'DNSRecord'
const type = 'test-dnsrecords'
const name = 'acme-audit'
const route = routeOf({ name, type })
const servedBy = (...types: readonly string[]): { readonly selection: Selection } => ({
  selection: {
    kinds: [kind],
    classes: ['shoot'],
    namespaces: [],
    served: types.map(served => ({ kind, type: served, classes: ['shoot'] })),
  },
})

const isObservation = ({ operation }: ExtensionEvent) => operation === 'observe'

/** Changes the object as the secondary function does. */
const record = (seed: BridgeTestSeed, fields: object) => {
  const { resource } = kinds[kind]
  const object = seed.kubernetes.read(resource, { name: 'a', namespace })
  if (object === undefined) throw new Error('no object')
  const { uid, generation, annotations } = object.metadata
  const text = JSON.stringify({
    ...{ phase: 'observed', operation: 'observe', uid, generation, success: '', cleans: false },
    ...{ attempt: 0, event: 'e' },
    ...fields,
  })
  const metadata = { ...object.metadata, annotations: { ...annotations, [markOf(name)]: text } }
  seed.kubernetes.put(resource, { ...object, metadata })
}

const useSecondary = async (changes: RecordChanges, types: readonly string[] = [route]) => {
  const seed = newSeed()
  const running = await seed.bridge(servedBy(...types))
  const put = async (next: RecordChanges) => {
    seed.put(kind, 'a', next)
    await seed.clock.advance(0)
  }
  await put(changes)
  const take = () => inWords(seed.events.splice(0))
  return { seed, put, take, ...running }
}

test('an object gets events for both functions; each has its own route', async () => {
  const { seed, take } = await useSecondary({ operation: 'reconcile' }, [type, route])
  expect(seed.events.map(({ provider }) => provider).toSorted()).toEqual([route, type])
  expect(seed.events.filter(isObservation)).toMatchObject([
    { type: 'cloud.gardener.extensions.dnsrecord.observe', data: { spec: { type } } },
  ])
  expect(take()).toHaveLength(2)
})

test('a secondary function beside a primary of another extension gets only its own events', async () => {
  const { seed, put, take, stop } = await useSecondary({ operation: 'reconcile' })
  expect(take()).toEqual(['observe DNSRecord a (created)'])
  record(seed, {})
  await seed.clock.advance(0)
  await put({ ...claimed(undefined) })
  // The new version has lost the record.
  expect(take()).toEqual(['observe DNSRecord a (created)'])
  await put({ last: succeeded })
  record(seed, { success: 'Reconcile/2026-11-21T11:00:00Z' })
  await seed.clock.advance(600_000)
  seed.events.length = 0
  await stop()
  await seed.bridge(servedBy(route))
  await seed.clock.advance(600_000)
  expect(take()).toEqual([])
})

test('an event without an effect is sent again, and a refused one is retried', async () => {
  const { seed, take } = await useSecondary({})
  expect(take()).toHaveLength(1)
  await seed.clock.advance(89_000)
  expect(take()).toHaveLength(0)
  seed.sink = () => ({ kind: 'retry', reason: 'the broker is away' })
  await seed.clock.advance(2_000)
  expect(take().length).toBeGreaterThan(0)
  seed.sink = () => ({ kind: 'accepted' })
  await seed.clock.advance(30_000)
  expect(take().length).toBeGreaterThan(0)
  record(seed, {})
  await seed.clock.advance(900_000)
  expect(take()).toEqual([])
})

test('a wait ends at its time, or after its length if the clock of the function is wrong', async () => {
  const { seed, take } = await useSecondary({})
  take()
  const until = (ms: number) => formatMilliseconds(seed.clock.now() + ms)
  const wait = { phase: 'waiting', attempt: 3, durationMs: 4_000 }
  record(seed, { ...wait, until: until(4_000) })
  await seed.clock.advance(3_900)
  expect(take()).toEqual([])
  await seed.clock.advance(200)
  expect(seed.events).toMatchObject([{ attempt: 3, reason: 'retry' }])
  take()
  record(seed, { ...wait, until: until(86_400_000), event: 'f' })
  await seed.clock.advance(4_100)
  expect(take()).toEqual(['observe DNSRecord a (retry)'])
})

test('a deletion without a clean-up is no event, and a deleted object is forgotten', async () => {
  const { seed, put, take } = await useSecondary({ deleted: true })
  expect(take()).toEqual([])
  await put({})
  seed.kubernetes.remove(kinds[kind].resource, { name: 'a', namespace })
  await seed.clock.advance(0)
  take()
  await seed.clock.advance(900_000)
  expect(take()).toEqual([])
})

test('its work is listed with the reason, and each of its events is observed', async () => {
  const { seed, bridge } = await useSecondary({})
  const rows = () => bridge.waiting().filter(({ why }) => why.includes(name))
  const row = { kind, object: `${namespace}/a`, operation: 'observe', reason: 'created', attempt: 0 }
  expect(rows()).toMatchObject([
    { ...row, state: 'waiting', why: `secondary function ${name}, sent 1 times`, lastError: '' },
  ])
  const observed = () =>
    seed.observed.flatMap(event => (event.type === 'observation' ? [[event.function, event.outcome]] : []))
  expect(observed()).toEqual([[name, 'accepted']])

  const until = formatMilliseconds(seed.clock.now() + 4_000)
  const why = 'the service is away'
  record(seed, { phase: 'waiting', attempt: 2, why, until, durationMs: 4_000 })
  await seed.clock.advance(0)
  expect(rows()).toMatchObject([{ state: 'waiting', reason: 'retry', attempt: 2, lastError: why }])

  seed.sink = () => ({ kind: 'retry', reason: 'refused' })
  await seed.clock.advance(4_000)
  expect(observed().at(-1)).toEqual([name, 'retried'])
  expect(rows()).toMatchObject([{ state: 'backing off' }])
  record(seed, {})
  await seed.clock.advance(0)
  expect(rows()).toEqual([])
})
