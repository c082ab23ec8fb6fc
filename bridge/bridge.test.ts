import { describe, expect, test } from 'vitest'
import { annotations } from '../shared/contract/constants.ts'
import { kinds } from '../shared/contract/kinds.ts'
import { ConnectionError } from '../shared/kubernetes/kubernetes.ts'
import { metadataHashOf } from '../shared/lifecycle/lifecycle.ts'
import type { FakeKubernetes } from './testing/fake-kubernetes.ts'
import { claimed, inWords, type RecordChanges, succeeded, useSeeds } from './testing/test-seed.ts'

const createSeed = useSeeds()

describe('objects that exist at the start', () => {
  test.each<[string, RecordChanges, string[]]>([
    [
      'reconcile is asked for',
      { operation: 'reconcile', last: succeeded },
      ['reconcile DNSRecord x (annotation)'],
    ],
    ['restore is asked for', { operation: 'restore', last: succeeded }, ['restore DNSRecord x (annotation)']],
    ['migrate is asked for', { operation: 'migrate', last: succeeded }, ['migrate DNSRecord x (annotation)']],
    ['it is being deleted', { deleted: true, last: succeeded }, ['delete DNSRecord x (deletion)']],
    ['it has no last operation', {}, ['reconcile DNSRecord x (created)']],
    ['it failed', { last: { state: 'Error' } }, ['reconcile DNSRecord x (resume)']],
    ['it was interrupted', { last: { state: 'Processing' } }, ['reconcile DNSRecord x (resume)']],
    ['it has succeeded', { last: succeeded }, []],
    ['it waits for its state', { operation: 'wait-for-state' }, []],
  ])('they are emitted according to the CREATE rule: %s', async (_, changes, expected) => {
    const seed = createSeed()
    seed.put('DNSRecord', 'x', changes)
    await seed.bridge()
    expect(inWords(seed.events)).toEqual(expected)
  })

  test('they follow fresh changes, at a bounded rate', async () => {
    const seed = createSeed()
    for (let index = 0; index < 100; index++) seed.put('DNSRecord', `old${index}`)
    await seed.bridge({ initialPerSecond: 10 })
    await seed.clock.advance(1_000)
    expect(seed.events.length).toBeLessThan(15)
    seed.put('DNSRecord', 'new')
    await seed.clock.advance(0)
    expect(seed.events.at(-1)?.name).toBe('new')
    const due = seed.observed.filter(event => event.type === 'due')
    expect(due.filter(({ initial }) => initial)).toHaveLength(100)
    expect(due.filter(({ initial }) => !initial)).toMatchObject([{ object: expect.stringMatching(/new$/) }])
    await seed.clock.advance(10_000)
    expect(new Set(seed.events.map(({ name }) => name)).size).toBe(101)
  })
})

describe('changes', () => {
  test.each<[string, RecordChanges, string[]]>([
    [
      'the operation annotation',
      { operation: 'reconcile', last: succeeded },
      ['reconcile DNSRecord x (annotation)'],
    ],
    ['the deletion', { deleted: true, last: succeeded }, ['delete DNSRecord x (deletion)']],
    ['the spec alone', { generation: 2, last: succeeded }, []],
    ['the timestamp alone', { timestamp: '2026-11-21T12:00:00Z', last: succeeded }, []],
    ['an annotation for others', { operation: 'keepalive', last: succeeded }, []],
  ])('they are emitted according to the UPDATE rule: %s', async (_, changes, expected) => {
    const seed = createSeed()
    seed.put('DNSRecord', 'x', { last: succeeded })
    await seed.bridge()
    seed.put('DNSRecord', 'x', changes)
    await seed.clock.advance(0)
    expect(inWords(seed.events)).toEqual(expected)
  })

  test('status writes of a step cause no event, from the claim to the end', async () => {
    const seed = createSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(10)
    const [event] = seed.events
    const step = { event: event?.id ?? '' }
    seed.put('DNSRecord', 'x', { step })
    seed.put('DNSRecord', 'x', { step, last: { state: 'Processing', at: '2026-11-21T12:00:00Z' } })
    await seed.clock.advance(5_000)
    seed.put('DNSRecord', 'x', { step, last: { state: 'Succeeded', at: '2026-11-21T12:00:05Z' } })
    await seed.clock.advance(3_600_000)
    expect(seed.events).toHaveLength(1)
  })

  test('touches of a deleting object in backoff are emitted at once', async () => {
    const seed = createSeed()
    const untouched: RecordChanges = { deleted: true, last: { type: 'Delete', state: 'Error' } }
    const waiting: RecordChanges = {
      ...untouched,
      step: {
        phase: 'waiting',
        operation: 'delete',
        attempt: 4,
        until: '2026-11-21T12:10:00.000Z',
        metadataHash: metadataHashOf(seed.put('DNSRecord', 'x', untouched)),
        request: 'delete@2026-11-21T11:59:58Z@2026-11-21T11:59:59.123456789Z',
      },
    }
    const waitingObject = seed.put('DNSRecord', 'x', waiting)
    await seed.bridge()
    await seed.clock.advance(1_000)
    expect(seed.events).toEqual([])
    const touches = ['a', 'b', 'c'].map(team => seed.put('DNSRecord', 'x', { ...waiting, labels: { team } }))
    await seed.clock.advance(60_000)
    expect(inWords(seed.events)).toEqual(['delete DNSRecord x (touched)'])
    // The step's own writes do not count as touches.
    const claim: RecordChanges = {
      ...waiting,
      labels: { team: 'c' },
      step: {
        ...waiting.step,
        phase: 'claimed',
        until: '2026-11-21T12:03:00Z',
        metadataHash: metadataHashOf(touches.at(-1) ?? waitingObject),
      },
    }
    seed.put('DNSRecord', 'x', claim)
    seed.put('DNSRecord', 'x', { ...claim, last: { type: 'Delete', state: 'Processing' } })
    seed.put('DNSRecord', 'x', {
      ...claim,
      last: { type: 'Delete', state: 'Error', at: '2026-11-21T12:01:02Z' },
    })
    const released: RecordChanges = {
      ...claim,
      last: { type: 'Delete', state: 'Error', at: '2026-11-21T12:01:02Z' },
      step: { ...claim.step, phase: 'waiting', attempt: 5, until: '2026-11-21T12:20:00Z' },
    }
    seed.put('DNSRecord', 'x', released)
    await seed.clock.advance(600_000)
    expect(seed.events).toHaveLength(1)
    seed.put('DNSRecord', 'x', { ...released, timestamp: '2026-11-21T12:11:00Z' })
    await seed.clock.advance(0)
    expect(inWords(seed.events).slice(1)).toEqual(['delete DNSRecord x (deletion)'])
  })

  test('a burst of changes of one object makes few events, and the last change is not lost', async () => {
    const seed = createSeed()
    await seed.bridge()
    for (let change = 0; change < 50; change++) {
      seed.put('DNSRecord', 'x', {
        operation: 'reconcile',
        timestamp: `2026-11-21T12:00:00.${change + 100}Z`,
      })
      await seed.clock.advance(10)
    }
    expect(seed.events).toHaveLength(1)
    // The function claims the current object, and all its requests.
    seed.put('DNSRecord', 'x', claimed(seed.events[0]))
    await seed.clock.advance(5_000)
    expect(seed.events).toHaveLength(1)
    // A request during the step is held until the step ends.
    const { step } = claimed(seed.events[0])
    const asked = { operation: 'reconcile', timestamp: '2026-11-21T12:00:07Z', ...(step ? { step } : {}) }
    seed.put('DNSRecord', 'x', { ...asked, last: { state: 'Processing' } })
    await seed.clock.advance(5_000)
    expect(seed.events).toHaveLength(1)
    seed.put('DNSRecord', 'x', { ...asked, last: { state: 'Succeeded', at: '2026-11-21T12:00:12Z' } })
    await seed.clock.advance(0)
    expect(inWords(seed.events).slice(1)).toEqual(['reconcile DNSRecord x (annotation)'])
  })

  test('events continue the trace of the requester, and repeats stay in their trace', async () => {
    const seed = createSeed()
    await seed.bridge()
    const asked = seed.put('DNSRecord', 'asked', { operation: 'reconcile' })
    seed.kubernetes.put(kinds.DNSRecord.resource, {
      ...asked,
      metadata: {
        ...asked.metadata,
        name: 'traced',
        uid: 'traced',
        annotations: {
          ...asked.metadata.annotations,
          [annotations.traceparent]: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        },
      },
    })
    await seed.clock.advance(100_000)
    const traces = (name: string) =>
      new Set(seed.events.filter(event => event.name === name).map(({ traceparent }) => traceparent))
    expect(seed.events.length).toBeGreaterThanOrEqual(4)
    expect([...traces('asked')]).toEqual([
      expect.stringMatching(`^00-${(seed.events[0]?.id ?? '').replaceAll('-', '')}-`),
    ])
    expect([...traces('traced')]).toEqual([expect.stringMatching('^00-4bf92f3577b34da6a3ce929d0e0e4736-')])
  })

  test('one object never has two requests to the sink at a time', async () => {
    const seed = createSeed()
    let open = 0
    let most = 0
    seed.sink = async () => {
      most = Math.max(most, ++open)
      await seed.clock.sleep(1_000)
      open--
      return { kind: 'accepted' }
    }
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(100)
    seed.put('DNSRecord', 'x', { deleted: true })
    await seed.clock.advance(10_000)
    expect(inWords(seed.events)).toEqual([
      'reconcile DNSRecord x (annotation)',
      'delete DNSRecord x (deletion)',
    ])
    expect(most).toBe(1)
  })
})

describe('a bridge that ends', () => {
  test('a restarted or second bridge repeats the ids', async () => {
    const seed = createSeed()
    const first = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    seed.put('Infrastructure', 'y', { deleted: true })
    await seed.clock.advance(0)
    await first.stop()
    const ids = seed.events.splice(0).map(({ id }) => id)
    await seed.bridge()
    await seed.bridge()
    await seed.clock.advance(1_000)
    expect(seed.events.map(({ id }) => id).sort()).toEqual([...ids, ...ids].sort())
  })

  test('no change before the next start is lost', async () => {
    const seed = createSeed()
    for (let index = 0; index < 20; index++) seed.put('DNSRecord', `x${index}`, { last: succeeded })
    const first = await seed.bridge()
    await first.stop()
    for (let index = 0; index < 20; index++) seed.put('DNSRecord', `x${index}`, { operation: 'reconcile' })
    await seed.bridge()
    await seed.clock.advance(1_000)
    expect(seed.events).toHaveLength(20)
  })
})

describe('the API server', () => {
  test.each<[string, (kubernetes: FakeKubernetes) => void]>([
    ['breaks the watches', () => undefined],
    ['breaks the watches and has then forgotten the version', kubernetes => kubernetes.compact()],
  ])('if the API server %s during changes, no change is lost or repeated', async (_, afterwards) => {
    const seed = createSeed()
    await seed.bridge()
    for (let index = 0; index < 60; index++) {
      seed.put('DNSRecord', `x${index}`, { operation: 'reconcile' })
      if (index % 10 === 5) {
        seed.kubernetes.breakWatches(new ConnectionError('reset', { cause: undefined, sent: true }))
      }
      if (index % 10 === 7) afterwards(seed.kubernetes)
      await seed.clock.advance(20)
    }
    await seed.clock.advance(10_000)
    expect(seed.events.map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 60 }, (_, index) => `x${index}`).sort(),
    )
  })
})

test('the bridge sends events as the contract defines them', async () => {
  const seed = createSeed()
  seed.put('BackupBucket', 'bucket', { operation: 'reconcile' })
  await seed.bridge()
  expect(seed.events).toMatchObject([
    {
      source: '/seeds/test',
      type: 'cloud.gardener.extensions.backupbucket.reconcile',
      subject: 'bucket',
      time: '2026-11-21T12:00:00.000Z',
      provider: 'test-backupbuckets',
      attempt: 0,
      reason: 'annotation',
      data: { kind: 'BackupBucket', spec: { type: 'test-backupbuckets' } },
    },
  ])
})

test('an object without a type cannot be routed; the bridge parks it and reports it', async () => {
  const seed = createSeed()
  const { bridge } = await seed.bridge()
  seed.put('DNSRecord', 'x', { spec: { type: 7 } })
  await seed.clock.advance(0)
  expect(bridge.waiting()).toMatchObject([{ state: 'parked', why: 'DNSRecord x has no spec.type' }])
})
