import { describe, expect, test } from 'vitest'
import { clusterKind, type KindName, kinds } from '../shared/contract/kinds.ts'
import { ConnectionError, KubernetesError } from '../shared/kubernetes/kubernetes.ts'
import { inWords, namespace, type RecordChanges, succeeded, useSeeds } from './testing/test-seed.ts'

const createSeed = useSeeds()

describe('timers', () => {
  test('they emit continue when the object is due', async () => {
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

  test('an expired claim without an outcome is emitted again', async () => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'x', { last: { state: 'Processing' }, step: { durationMs: 60_000 } })
    await seed.clock.advance(59_999)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    expect(inWords(seed.events)).toEqual(['reconcile DNSRecord x (expired)'])
  })

  test.each<[string, RecordChanges, number]>(
    [
      ['a claim of a function whose clock is an hour ahead', { until: '2026-11-21T13:01:15Z' }, 75_000],
      ['a claim of a function whose clock is years ahead', { until: '9999-12-31T23:59:59Z' }, 75_000],
      [
        'a claim that says that it lasts for a year',
        { until: '9999-12-31T23:59:59Z', durationMs: 31_536_000_000 },
        660_000,
      ],
      [
        'a claim of a function whose clock is an hour behind',
        { until: '2026-11-21T11:01:15Z', durationMs: 75_000 },
        75_000,
      ],
      [
        'a wait of a function whose clock is an hour ahead',
        { phase: 'waiting', until: '2026-11-21T13:00:20Z', durationMs: 20_000 },
        20_000,
      ],
      [
        'a wait of a function whose clock is an hour behind',
        { phase: 'waiting', until: '2026-11-21T11:00:20Z', durationMs: 20_000 },
        20_000,
      ],
    ].map(
      ([title, step, ms]) =>
        [title, { last: { state: 'Processing' }, step } as RecordChanges, ms] as [
          string,
          RecordChanges,
          number,
        ],
    ),
  )('count %s from when the bridge saw it, also for a deletion', async (_, changes, afterMs) => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'x', changes)
    await seed.clock.advance(afterMs / 2)
    const isClaim = changes.step?.phase !== 'waiting'
    // A request during a step waits for the step; a request during a wait ends the wait.
    if (isClaim) seed.put('DNSRecord', 'x', { ...changes, deleted: true })
    await seed.clock.advance(afterMs / 2 - 1)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    expect(seed.events).toHaveLength(1)
  })

  test('they restart with another claim, and not if the same claim is seen again', async () => {
    const seed = createSeed()
    await seed.bridge()
    const claim = (event: string): RecordChanges => ({
      last: { state: 'Processing' },
      step: { event, until: '9999-12-31T23:59:59Z', durationMs: 75_000 },
    })
    seed.put('DNSRecord', 'x', claim('first'))
    await seed.clock.advance(50_000)
    seed.put('DNSRecord', 'x', { ...claim('first'), labels: { seen: 'again' } })
    await seed.clock.advance(20_000)
    seed.put('DNSRecord', 'x', claim('second'))
    await seed.clock.advance(74_999)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    expect(inWords(seed.events)).toEqual(['reconcile DNSRecord x (expired)'])
  })

  test('they are bounded for a bridge that starts later, too', async () => {
    const seed = createSeed()
    const { stop } = await seed.bridge()
    seed.put('DNSRecord', 'x', {
      last: { state: 'Processing' },
      step: { until: '9999-12-31T23:59:59Z', durationMs: 75_000 },
    })
    await seed.clock.advance(60_000)
    await stop()
    await seed.bridge()
    await seed.clock.advance(75_000)
    expect(seed.events).toHaveLength(1)
  })

  test('touches end the waits of a deletion early, but at most once a minute', async () => {
    const seed = createSeed()
    await seed.bridge()
    const object: RecordChanges = { deleted: true, last: { type: 'Delete', state: 'Error' } }
    const waits = (touch: number): RecordChanges => ({
      ...object,
      labels: { touch: String(touch) },
      step: {
        phase: 'waiting',
        operation: 'delete',
        attempt: 8,
        event: `step ${touch}`,
        until: '2026-11-21T12:16:40.000Z',
        durationMs: 1_000_000,
        metadataHash: 'of before',
        request: 'delete@2026-11-21T11:59:58Z@2026-11-21T11:59:59.123456789Z',
      },
    })
    // The object is changed every second, and each attempt fails at once and waits again.
    for (let second = 0; second < 300; second++) {
      seed.put('DNSRecord', 'x', waits(second))
      await seed.clock.advance(1_000)
    }
    expect(new Set(inWords(seed.events))).toEqual(new Set(['delete DNSRecord x (touched)']))
    // At 0, 60, 120, 180, 240 and 300 s.
    expect(seed.events).toHaveLength(6)
  })

  test('an accepted event is emitted again with the same id if no function claims it', async () => {
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

  test('the object is read again, and nothing is sent if it is gone or done by then', async () => {
    const seed = createSeed()
    const { bridge } = await seed.bridge()
    const due: RecordChanges = { last: { state: 'Processing' }, step: { phase: 'waiting' } }
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
    expect(bridge.waiting()).toEqual([])
  })

  test('an object that cannot be read is read again after 2 s', async () => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'x', {
      last: { state: 'Processing' },
      step: { phase: 'waiting', until: '2026-11-21T12:00:10.000Z' },
    })
    const { get } = seed.kubernetes.port
    let failures = 0
    seed.kubernetes.port.get = () => {
      failures++
      throw new ConnectionError('away', { cause: undefined, sent: false })
    }
    await seed.clock.advance(11_999)
    expect(failures).toBe(1)
    seed.kubernetes.port.get = get
    await seed.clock.advance(1)
    expect(inWords(seed.events)).toEqual(['continue DNSRecord x (due)'])
  })

  test('the waits of a deleted object are dropped', async () => {
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
  test('a failed shoot holds its objects until it recovers', async () => {
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

  test('a shoot with a late Cluster gets its objects then', async () => {
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

  test.each<[string, KindName, RecordChanges]>([
    ['a Bastion', 'Bastion', {}],
    ['a BackupBucket', 'BackupBucket', {}],
    ['a DNSRecord in namespace garden', 'DNSRecord', { namespace: 'garden' }],
    ['an Infrastructure in a namespace without the role', 'Infrastructure', { namespace: 'other' }],
  ])('a failed shoot does not hold %s', async (_, kind, changes) => {
    const seed = createSeed()
    seed.shoot('Failed')
    await seed.bridge()
    seed.put(kind, 'x', changes)
    await seed.clock.advance(0)
    expect(seed.events).toHaveLength(1)
  })

  test('a shoot with unreadable Namespaces counts as working', async () => {
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
  test('after ten minutes away, the sink receives everything', async () => {
    const seed = createSeed()
    const { bridge } = await seed.bridge()
    seed.sink = () => ({ kind: 'retry', reason: 'refused' })
    for (let index = 0; index < 200; index++) seed.put('DNSRecord', `x${index}`, { operation: 'reconcile' })
    await seed.clock.advance(600_000)
    // One event every 200 to 250 ms, however many objects wait.
    expect(seed.events.length).toBeLessThan(600 * 5 + 32)
    expect(bridge.counts().get('DNSRecord')).toMatchObject({ queued: 200, inFlight: 0 })
    expect(bridge.ready()).toBe(true)
    seed.sink = () => ({ kind: 'accepted' })
    await seed.clock.advance(300)
    const accepted = seed.observed.filter(({ type }) => type === 'accepted')
    expect(accepted).toHaveLength(200)
  })

  test('a 400 parks the event: it is retried after a minute, then at growing intervals, and at once when the object changes', async () => {
    const seed = createSeed()
    seed.sink = () => ({ kind: 'rejected', status: 400, reason: 'the sink answered 400' })
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(59_999)
    expect(seed.events).toHaveLength(1)
    expect(bridge.waiting()).toMatchObject([
      { state: 'parked', why: 'the sink answered 400', at: seed.clock.now() + 1 },
    ])
    expect(bridge.counts().get('DNSRecord')?.parked).toBe(1)
    // After 1, 3, 7, 15, 31, 63 minutes, then every hour.
    await seed.clock.advance(24 * 3_600_000)
    expect(seed.events).toHaveLength(7 + 22)
    expect(bridge.counts().get('DNSRecord')?.parked).toBe(1)
    seed.sink = () => ({ kind: 'accepted' })
    seed.put('DNSRecord', 'x', { operation: 'reconcile', labels: { changed: 'yes' } })
    await seed.clock.advance(0)
    expect(seed.events).toHaveLength(7 + 22 + 1)
    expect(bridge.counts().get('DNSRecord')?.parked).toBe(0)
  })

  test('a new request that is refused too is retried after a minute again', async () => {
    const seed = createSeed()
    seed.sink = () => ({ kind: 'rejected', status: 400, reason: 'the sink answered 400' })
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(400_000)
    expect(seed.events).toHaveLength(3)
    seed.put('DNSRecord', 'x', { operation: 'reconcile', timestamp: '2026-11-21T12:06:00Z' })
    await seed.clock.advance(60_000)
    expect(seed.events).toHaveLength(3 + 2)
  })

  test.each([429, 503])(
    'a %i with a Retry-After of a year is retried in a minute, and at once for new events',
    async status => {
      const seed = createSeed()
      seed.sink = () => ({ kind: 'retry', status, reason: String(status), afterMs: 365 * 86_400_000 })
      await seed.bridge()
      seed.put('DNSRecord', 'x', { operation: 'reconcile' })
      await seed.clock.advance(10_000)
      seed.put('DNSRecord', 'x', { operation: 'reconcile', labels: { changed: 'yes' } })
      await seed.clock.advance(49_999)
      expect(seed.events).toHaveLength(1)
      await seed.clock.advance(1)
      expect(seed.events).toHaveLength(2)
      const asks: readonly RecordChanges[] = [
        { operation: 'reconcile', timestamp: '2026-11-21T12:02:00Z' },
        { operation: 'reconcile', timestamp: '2026-11-21T12:02:00Z', generation: 2 },
        { deleted: true, generation: 3 },
      ]
      for (const ask of asks) {
        const before = seed.events.length
        await seed.clock.advance(10_000)
        seed.put('DNSRecord', 'x', ask)
        await seed.clock.advance(0)
        expect(seed.events.length).toBe(before + 1)
      }
    },
  )

  test.each<[string, RecordChanges]>([
    [
      'waits for its own time',
      { last: { state: 'Processing' }, step: { phase: 'waiting', until: '2026-11-21T12:00:01Z' } },
    ],
    ['was created', {}],
    ['is deleted', { deleted: true, last: { state: 'Succeeded' } }],
    ['has a request', { operation: 'reconcile' }],
  ])('no answer of the sink silences an object that %s', async (_, changes) => {
    const answers = [301, 400, 404, 410, 413, 431]
    for (const status of answers) {
      const seed = createSeed()
      seed.sink = () => ({ kind: 'rejected', status, reason: `the sink answered ${status}` })
      await seed.bridge()
      seed.put('DNSRecord', 'x', changes)
      await seed.clock.advance(3_600_000)
      seed.sink = () => ({ kind: 'accepted' })
      const before = seed.events.length
      await seed.clock.advance(3_600_000)
      expect(seed.events.length, String(status)).toBeGreaterThan(before)
    }
  })

  test('a missing sink (404) is retried slowly until it exists', async () => {
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

  test('a sink that is slow for one kind does not delay another', async () => {
    const seed = createSeed()
    seed.sink = async ({ kind }, signal) => {
      if (kind === 'DNSRecord') await seed.clock.sleep(9_000, signal)
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
