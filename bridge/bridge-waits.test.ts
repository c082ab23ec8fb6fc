import { describe, expect, it } from 'vitest'
import { clusterKind, type KindName, kinds } from '../shared/contract/kinds.ts'
import { ConnectionError, KubernetesError } from '../shared/kubernetes/port.ts'
import { type Changes, inWords, namespace, succeeded, useSeeds } from './test-seed.ts'

const createSeed = useSeeds()

describe('timers', () => {
  it('emit continue when the object says so', async () => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'x', {
      last: { state: 'Processing' },
      step: { phase: 'waiting', until: '2026-11-21T12:00:20.000Z', attempt: 0 },
    })
    await seed.clock.advance(19_999)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    expect(inWords(seed.events)).toEqual(['continue DNSRecord x (due)'])
    expect(seed.observed.at(-2)).toMatchObject({ type: 'accepted', lagMs: 0 })
  })

  it('emit again when a claim expired without an outcome', async () => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'x', { last: { state: 'Processing' }, step: {} })
    await seed.clock.advance(59_999)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    expect(inWords(seed.events)).toEqual(['reconcile DNSRecord x (expired)'])
  })

  it('emit an accepted event again with the same id when nobody claims it', async () => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(89_999)
    expect(seed.events).toHaveLength(1)
    await seed.clock.advance(1)
    expect(seed.events).toHaveLength(2)
    await seed.clock.advance(180_000)
    expect(seed.events).toHaveLength(3)
    expect(new Set(seed.events.map(({ id }) => id)).size).toBe(1)
  })

  it('read the object anew, and send nothing when it is gone or done by then', async () => {
    const seed = createSeed()
    await seed.bridge()
    const due: Changes = { last: { state: 'Processing' }, step: { phase: 'waiting' } }
    seed.put('DNSRecord', 'x', due)
    await seed.clock.advance(0)
    seed.kubernetes.port.watch = () => {
      throw new ConnectionError('away', { cause: undefined, sent: false })
    }
    seed.kubernetes.breakWatches(new ConnectionError('away', { cause: undefined, sent: true }))
    await seed.clock.advance(0)
    seed.put('DNSRecord', 'x', { last: succeeded })
    await seed.clock.advance(120_000)
    expect(seed.kubernetes.gets).toBe(1)
    expect(seed.events).toEqual([])
  })

  it('of an object that is deleted are forgotten', async () => {
    const seed = createSeed()
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { last: { state: 'Processing' }, step: { phase: 'waiting' } })
    await seed.clock.advance(0)
    expect(bridge.waiting()).toMatchObject([{ object: `${namespace}/x`, state: 'waiting', why: 'due later' }])
    seed.kubernetes.remove(kinds.DNSRecord.resource, { namespace, name: 'x' })
    await seed.clock.advance(120_000)
    expect(bridge.waiting()).toEqual([])
    expect(seed.events).toEqual([])
  })
})

describe('the shoot', () => {
  it('that failed holds its objects until it is no longer failed', async () => {
    const seed = createSeed()
    seed.shoot('Failed')
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    seed.put('Infrastructure', 'y', { deleted: true })
    await seed.clock.advance(600_000)
    expect(seed.events).toEqual([])
    expect(bridge.waiting().map(({ state, why }) => [state, why])).toEqual([
      ['held', 'shoot failed'],
      ['held', 'shoot failed'],
    ])
    seed.shoot('Processing')
    await seed.clock.advance(0)
    expect(inWords(seed.events).sort()).toEqual([
      'delete Infrastructure y (deletion)',
      'reconcile DNSRecord x (annotation)',
    ])
  })

  it('whose Cluster comes late gets its objects then', async () => {
    const seed = createSeed()
    seed.kubernetes.remove(clusterKind.resource, { name: namespace })
    await seed.bridge()
    seed.put('DNSRecord', 'x')
    await seed.clock.advance(0)
    expect(seed.observed).toContainEqual(expect.objectContaining({ type: 'held', why: 'no cluster' }))
    expect(seed.events).toEqual([])
    seed.shoot('Processing')
    await seed.clock.advance(0)
    expect(seed.events).toHaveLength(1)
  })

  it.each<[string, KindName, Changes]>([
    ['a Bastion', 'Bastion', {}],
    ['a BackupBucket', 'BackupBucket', {}],
    ['a DNSRecord in namespace garden', 'DNSRecord', { namespace: 'garden' }],
    ['an Infrastructure in a namespace without the role', 'Infrastructure', { namespace: 'other' }],
  ])('that failed does not hold %s', async (_, kind, changes) => {
    const seed = createSeed()
    seed.shoot('Failed')
    await seed.bridge()
    seed.put(kind, 'x', changes)
    await seed.clock.advance(0)
    expect(seed.events).toHaveLength(1)
  })

  it('whose Namespaces cannot be read is taken for a working one', async () => {
    const seed = createSeed()
    seed.shoot('Failed')
    const { list } = seed.kubernetes.port
    seed.kubernetes.port.list = (resource, options) =>
      resource.plural === 'namespaces'
        ? Promise.reject(new KubernetesError(403, 'Forbidden', 'namespaces is forbidden'))
        : list(resource, options)
    seed.put('DNSRecord', 'x')
    await seed.bridge()
    expect(seed.events).toHaveLength(1)
  })
})

describe('the sink', () => {
  it('that is away for ten minutes gets everything once it is back', async () => {
    const seed = createSeed()
    const { bridge } = await seed.bridge()
    seed.sink = () => ({ kind: 'retry', reason: 'refused' })
    for (let index = 0; index < 200; index++) seed.put('DNSRecord', `x${index}`, { operation: 'reconcile' })
    await seed.clock.advance(600_000)
    expect(seed.events.length).toBeLessThan(400)
    expect(bridge.counts().get('DNSRecord')).toMatchObject({ queued: 200, inFlight: 0 })
    expect(bridge.ready()).toBe(true)
    seed.sink = () => ({ kind: 'accepted' })
    await seed.clock.advance(6_000)
    const accepted = seed.observed.filter(({ type }) => type === 'accepted')
    expect(accepted).toHaveLength(200)
  })

  it('that answers 400 parks the event until the object changes', async () => {
    const seed = createSeed()
    seed.sink = () => ({ kind: 'rejected', status: 400, reason: 'the sink answered 400' })
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(3_600_000)
    expect(seed.events).toHaveLength(1)
    expect(bridge.waiting()).toMatchObject([{ state: 'parked', why: 'the sink answered 400' }])
    expect(bridge.counts().get('DNSRecord')?.parked).toBe(1)
    seed.sink = () => ({ kind: 'accepted' })
    seed.put('DNSRecord', 'x', { operation: 'reconcile', labels: { changed: 'yes' } })
    await seed.clock.advance(0)
    expect(seed.events).toHaveLength(2)
    expect(bridge.counts().get('DNSRecord')?.parked).toBe(0)
  })

  it('that is not there yet (404) is asked slowly until it is', async () => {
    const seed = createSeed()
    seed.sink = () => ({ kind: 'rejected', status: 404, reason: 'the sink answered 404' })
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(1_000)
    expect(bridge.waiting()).toMatchObject([{ state: 'backing off', why: 'the sink answered 404' }])
    await seed.clock.advance(59_000)
    expect(seed.events).toHaveLength(4 + 1)
    seed.sink = () => ({ kind: 'accepted' })
    await seed.clock.advance(30_000)
    expect(seed.observed.filter(({ type }) => type === 'accepted')).toHaveLength(1)
  })

  it('that is slow for one kind does not delay another', async () => {
    const seed = createSeed()
    seed.sink = async ({ kind }) => {
      if (kind === 'DNSRecord') await seed.clock.sleep(9_000)
      return { kind: 'accepted' }
    }
    await seed.bridge({ concurrency: 8 })
    for (let index = 0; index < 100; index++) seed.put('DNSRecord', `x${index}`)
    await seed.clock.advance(10)
    seed.put('Bastion', 'fast')
    await seed.clock.advance(0)
    expect(seed.events.at(-1)?.kind).toBe('Bastion')
  })
})
