import { expect, test } from 'vitest'
import type { Selection } from '../../core/core.ts'
import { namespace, useSeeds } from '../../testing/test-seed.ts'
import { noticeOf } from '../notices/notice.ts'

const createSeed = useSeeds()
const last = { state: 'Succeeded' }
const why =
  'gardener.cloud/operation "recocile" is ignored: expected one of reconcile, restore, migrate, wait-for-state. Did you mean reconcile?'

const unknownIn = (seed: ReturnType<typeof createSeed>) =>
  seed.observed.flatMap(event => (event.type === 'unknown operation' ? [event] : []))

test('a typo in the operation annotation is reported once, as an Event and among the waiting objects', async () => {
  const seed = createSeed()
  seed.put('DNSRecord', 'x', { last, operation: 'recocile' })
  const { bridge } = await seed.bridge()
  await seed.clock.advance(10_000)
  seed.put('DNSRecord', 'x', { last, operation: 'recocile', labels: { a: 'b' } })
  await seed.clock.advance(10_000)
  const [event, ...others] = unknownIn(seed)
  expect(others).toEqual([])
  expect(event && noticeOf(event)).toMatchObject({
    object: { kind: 'DNSRecord', object: `${namespace}/x` },
    type: 'Warning',
    reason: 'UnknownOperation',
    message: why,
  })
  expect(bridge.waiting()).toMatchObject([{ object: `${namespace}/x`, state: 'ignored', why }])
  expect(seed.events).toEqual([])
})

test('a corrected operation disappears from the waiting objects, and its event is sent', async () => {
  const seed = createSeed()
  seed.put('DNSRecord', 'x', { last, operation: 'recocile' })
  const { bridge } = await seed.bridge()
  await seed.clock.advance(0)
  seed.put('DNSRecord', 'x', { last, operation: 'reconcile' })
  await seed.clock.advance(0)
  expect(bridge.waiting().filter(({ state }) => state === 'ignored')).toEqual([])
  expect(seed.events).toMatchObject([{ reason: 'annotation' }])
})

test('a deleted object disappears from the waiting objects', async () => {
  const seed = createSeed()
  const object = seed.put('DNSRecord', 'x', { last, operation: 'recocile' })
  const { bridge } = await seed.bridge()
  await seed.clock.advance(0)
  seed.kubernetes.remove({ group: '', version: '', plural: 'dnsrecords', namespaced: true }, object.metadata)
  await seed.clock.advance(0)
  expect(bridge.waiting()).toEqual([])
})

test('a bridge that does not lead reports it when it starts to lead, and not when it stops', async () => {
  const seed = createSeed()
  seed.put('DNSRecord', 'x', { last, operation: 'recocile' })
  let isLeading = false
  let lead: (leading: boolean) => void = () => {}
  const leadership = {
    leading: () => isLeading,
    run: (signal: AbortSignal, changed: (leading: boolean) => void) => {
      lead = changed
      return new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    },
  }
  await seed.bridge({ leadership })
  await seed.clock.advance(1_000)
  expect(unknownIn(seed)).toEqual([])
  isLeading = true
  lead(true)
  expect(unknownIn(seed)).toHaveLength(1)
  isLeading = false
  lead(false)
  expect(unknownIn(seed)).toHaveLength(1)
})

test.each([
  ['an object of a type that is not served', { spec: { type: 'another' } }, 'recocile'],
  ['an operation that is known', {}, 'wait-for-state'],
  ['an empty operation', {}, ''],
])('%s is not reported', async (_, changes, operation) => {
  const seed = createSeed()
  seed.put('DNSRecord', 'x', { last, operation, ...changes })
  const selection: Selection = {
    kinds: ['DNSRecord'],
    served: [{ kind: 'DNSRecord', type: 'test-dnsrecords', classes: ['shoot'] }],
    classes: ['shoot'],
    namespaces: [],
  }
  const { bridge } = await seed.bridge({ selection })
  await seed.clock.advance(0)
  expect(unknownIn(seed)).toEqual([])
  expect(bridge.waiting()).toEqual([])
})
