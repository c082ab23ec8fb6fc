import { describe, expect, test } from 'vitest'
import { clusterKind } from '../shared/contract/kinds.ts'
import { noticeOf } from './observers/notices/notice.ts'
import { claimed, inWords, namespace, succeeded, useSeeds } from './testing/test-seed.ts'

const createSeed = useSeeds()

/** The tests start at 12:00. */
const until = '2026-11-21T13:00:00Z anna: NAT gateway'

describe('a paused shoot', () => {
  test('gets no event until the end of the pause, and then each one at once', async () => {
    const seed = createSeed()
    seed.shoot('Succeeded', until)
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    seed.put('Infrastructure', 'y', { deleted: true })
    await seed.clock.advance(3_599_000)
    expect(seed.events).toEqual([])
    expect(bridge.waiting().map(({ state, why }) => [state, why])).toEqual([
      ['waiting', 'paused'],
      ['waiting', 'paused'],
    ])
    expect(bridge.counts().get('DNSRecord')).toMatchObject({ paused: 1, held: 0 })
    await seed.clock.advance(1_000)
    expect(inWords(seed.events).sort()).toEqual([
      'delete Infrastructure y (deletion)',
      'reconcile DNSRecord x (annotation)',
    ])
  })

  test('gets its events at once when the pause is removed, or the Cluster', async () => {
    const seed = createSeed()
    seed.shoot('Succeeded', until)
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(10_000)
    expect(seed.events).toEqual([])
    seed.shoot('Succeeded')
    await seed.clock.advance(0)
    expect(inWords(seed.events)).toEqual(['reconcile DNSRecord x (annotation)'])

    seed.shoot('Succeeded', until)
    await seed.clock.advance(0)
    seed.put('Bastion', 'z', { operation: 'reconcile' })
    await seed.clock.advance(10_000)
    expect(seed.events).toHaveLength(1)
    seed.kubernetes.remove(clusterKind.resource, { name: namespace })
    await seed.clock.advance(0)
    expect(seed.events).toHaveLength(2)
  })

  test('pauses objects that wait already, and those that are created later', async () => {
    const seed = createSeed()
    await seed.bridge()
    const wait = { phase: 'waiting', attempt: 3, until: '2026-11-21T12:00:20.000Z' } as const
    seed.put('DNSRecord', 'x', { last: { state: 'Error' }, step: wait })
    await seed.clock.advance(1_000)
    seed.shoot('Succeeded', until)
    await seed.clock.advance(0)
    seed.put('Bastion', 'new')
    await seed.clock.advance(60_000)
    expect(seed.events).toEqual([])
  })

  test('sends an event again at the end of the pause if it came to nothing', async () => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(0)
    expect(seed.events).toHaveLength(1)
    // The function sees the pause before it claims the object.
    seed.shoot('Succeeded', until)
    await seed.clock.advance(1_000)
    seed.shoot('Succeeded')
    await seed.clock.advance(0)
    expect(seed.events.map(({ id }) => id)).toEqual([seed.events[0]?.id, seed.events[0]?.id])
  })

  test('does not pause objects of the namespace garden, nor a BackupBucket', async () => {
    const seed = createSeed()
    seed.shoot('Succeeded', until)
    await seed.bridge()
    seed.put('DNSRecord', 'x', { namespace: 'garden' })
    seed.put('BackupBucket', 'y')
    await seed.clock.advance(0)
    expect(seed.events).toHaveLength(2)
  })
})

describe('a paused object', () => {
  test('gets no event until the end of the pause; others do', async () => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('BackupBucket', 'x', { operation: 'reconcile', pause: until })
    seed.put('BackupBucket', 'y', { operation: 'reconcile' })
    await seed.clock.advance(3_599_000)
    expect(new Set(inWords(seed.events))).toEqual(new Set(['reconcile BackupBucket y (annotation)']))
    await seed.clock.advance(1_000)
    expect(inWords(seed.events)).toContain('reconcile BackupBucket x (annotation)')
  })

  test('finishes its step, whose end is awaited', async () => {
    const seed = createSeed()
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(0)
    seed.put('DNSRecord', 'x', { ...claimed(seed.events[0]), pause: until })
    await seed.clock.advance(0)
    expect(bridge.waiting()).toMatchObject([{ why: 'claimed' }])
    seed.put('DNSRecord', 'x', { last: succeeded, pause: until })
    await seed.clock.advance(0)
    expect(bridge.waiting()).toEqual([])
    expect(seed.events).toHaveLength(1)
  })

  test('has an Event that says so, once', async () => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile', pause: until })
    await seed.clock.advance(60_000)
    expect(seed.observed.flatMap(event => noticeOf(event) ?? [])).toEqual([
      {
        object: { kind: 'DNSRecord', object: `${namespace}/x`, uid: expect.stringMatching(/./) },
        type: 'Normal',
        reason: 'Paused',
        message: 'reconcile is paused by trellis.gardener.cloud/pause until 2026-11-21T13:00:00Z',
      },
    ])
  })
})
