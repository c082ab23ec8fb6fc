import { afterEach, describe, expect, it } from 'vitest'
import { type VirtualClock, virtualClock } from '../shared/clock/virtual-clock.ts'
import { annotations } from '../shared/contract/constants.ts'
import { clusterKind, type KindName, kinds } from '../shared/contract/kinds.ts'
import { formatStep, type Step } from '../shared/contract/step.ts'
import type { ExtensionEvent } from '../shared/events/event.ts'
import type { SendOutcome } from '../shared/events/send.ts'
import {
  ConnectionError,
  KubernetesError,
  type KubernetesObject,
  type Resource,
} from '../shared/kubernetes/port.ts'
import { type Bridge, type BridgeOptions, createBridge } from './bridge.ts'
import type { BridgeEvent } from './bridge-event.ts'
import { type FakeKubernetes, fakeKubernetes } from './fake-kubernetes.ts'

const start = Date.parse('2026-11-21T12:00:00.000Z')
const namespace = 'shoot--foo--bar'
const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

interface Seed {
  readonly clock: VirtualClock
  readonly kubernetes: FakeKubernetes
  readonly events: ExtensionEvent[]
  readonly observed: BridgeEvent[]
  /** What the sink answers; accepted unless a test says otherwise. */
  sink: (event: ExtensionEvent) => SendOutcome | Promise<SendOutcome>
  /** Starts a bridge on this seed; the test may stop it and start another. */
  bridge(options?: Partial<BridgeOptions>): Promise<{ readonly bridge: Bridge; stop(): Promise<void> }>
  /** Creates or changes an object of a kind. */
  put(kind: KindName, name: string, changes?: Changes): KubernetesObject
  shoot(state: string): void
}

interface Changes {
  readonly namespace?: string
  readonly operation?: string
  readonly timestamp?: string
  readonly last?: { readonly type?: string; readonly state: string; readonly at?: string }
  readonly step?: Partial<Step>
  readonly deleted?: boolean
  readonly generation?: number
  readonly spec?: object
  readonly labels?: Record<string, string>
}

const stops = new Set<() => Promise<void>>()
const clocks: VirtualClock[] = []
afterEach(async () => {
  for (const stop of stops) await stop()
  for (const clock of clocks.splice(0)) expect(clock.pending(), 'no timer is left behind').toEqual([])
})

const createSeed = (): Seed => {
  const clock = virtualClock(start)
  clocks.push(clock)
  const kubernetes = fakeKubernetes()
  const seed: Seed = {
    clock,
    kubernetes,
    events: [],
    observed: [],
    sink: () => ({ kind: 'accepted' }),
    bridge: async (options = {}) => {
      const bridge = createBridge({
        kubernetes: kubernetes.port,
        send: async event => {
          seed.events.push(event)
          return seed.sink(event)
        },
        clock,
        log: silent,
        selection: {
          kinds: ['DNSRecord', 'Infrastructure', 'BackupBucket', 'Bastion'],
          types: [],
          classes: ['shoot'],
          namespaces: [],
          labels: undefined,
        },
        source: '/seeds/test',
        observe: event => seed.observed.push(event),
        ...options,
      })
      const controller = new AbortController()
      let ended = false
      void bridge.run(controller.signal).then(() => {
        ended = true
      })
      const stop = async () => {
        stops.delete(stop)
        controller.abort()
        for (let second = 0; !ended && second < 20; second++) await clock.advance(1_000)
        expect(ended, 'the bridge ends').toBe(true)
      }
      stops.add(stop)
      await clock.advance(0)
      return { bridge, stop }
    },
    put: (kind, name, changes = {}) => {
      const { plural, namespaced } = kinds[kind].resource
      const step: Step | undefined = changes.step && {
        phase: 'running',
        operation: 'reconcile',
        attempt: 0,
        until: '2026-11-21T12:01:00.000Z',
        event: 'unknown',
        request: '',
        generation: 1,
        was: '',
        ...changes.step,
      }
      return kubernetes.put(kinds[kind].resource, {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind,
        metadata: {
          name,
          ...(namespaced ? { namespace: changes.namespace ?? namespace } : {}),
          ...(changes.generation === undefined ? {} : { generation: changes.generation }),
          ...(changes.labels === undefined ? {} : { labels: changes.labels }),
          finalizers: [`extensions.gardener.cloud/${kind.toLowerCase()}`],
          annotations: {
            ...(changes.operation === undefined ? {} : { [annotations.operation]: changes.operation }),
            [annotations.timestamp]: changes.timestamp ?? '2026-11-21T11:59:59.123456789Z',
            ...(step === undefined ? {} : { [annotations.step]: formatStep(step) }),
          },
          ...(changes.deleted ? { deletionTimestamp: '2026-11-21T11:59:58Z' } : {}),
        },
        spec: { type: `test-${plural}`, ...changes.spec },
        status:
          changes.last === undefined
            ? {}
            : {
                lastOperation: {
                  type: changes.last.type ?? 'Reconcile',
                  state: changes.last.state,
                  lastUpdateTime: changes.last.at ?? '2026-11-21T11:00:00Z',
                },
              },
      })
    },
    shoot: state => {
      kubernetes.put(clusterKind.resource, {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Cluster',
        metadata: { name: namespace },
        spec: { shoot: { status: { lastOperation: { state } } } },
      })
    },
  }
  kubernetes.put(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'gardener.cloud/role': 'shoot' } },
  })
  seed.shoot('Succeeded')
  return seed
}

const succeeded = { state: 'Succeeded' }
/** What a claim and its outcome look like to the bridge. */
const claimed = (event: ExtensionEvent | undefined): Changes => ({
  last: { state: 'Processing' },
  step: { event: event?.id ?? '' },
})

const inWords = (events: readonly ExtensionEvent[]) =>
  events.map(({ operation, kind, name, reason }) => `${operation} ${kind} ${name} (${reason})`)

describe('objects that exist at the start', () => {
  it.each<[string, Changes, string[]]>([
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
  ])('are emitted as the CREATE rule says: %s', async (_, changes, expected) => {
    const seed = createSeed()
    seed.put('DNSRecord', 'x', changes)
    await seed.bridge()
    expect(inWords(seed.events)).toEqual(expected)
  })

  it('come after fresh changes and at a bounded rate', async () => {
    const seed = createSeed()
    for (let index = 0; index < 100; index++) seed.put('DNSRecord', `old${index}`)
    await seed.bridge({ initialPerSecond: 10 })
    await seed.clock.advance(1_000)
    expect(seed.events.length).toBeLessThan(15)
    seed.put('DNSRecord', 'new')
    await seed.clock.advance(0)
    expect(seed.events.at(-1)?.name).toBe('new')
    await seed.clock.advance(10_000)
    expect(new Set(seed.events.map(({ name }) => name)).size).toBe(101)
  })
})

describe('changes', () => {
  it.each<[string, Changes, string[]]>([
    [
      'the operation annotation',
      { operation: 'reconcile', last: succeeded },
      ['reconcile DNSRecord x (annotation)'],
    ],
    ['the deletion', { deleted: true, last: succeeded }, ['delete DNSRecord x (deletion)']],
    ['the spec alone', { generation: 2, last: succeeded }, []],
    ['the timestamp alone', { timestamp: '2026-11-21T12:00:00Z', last: succeeded }, []],
    ['an annotation for others', { operation: 'keepalive', last: succeeded }, []],
  ])('are emitted as the UPDATE rule says: %s', async (_, changes, expected) => {
    const seed = createSeed()
    seed.put('DNSRecord', 'x', { last: succeeded })
    await seed.bridge()
    seed.put('DNSRecord', 'x', changes)
    await seed.clock.advance(0)
    expect(inWords(seed.events)).toEqual(expected)
  })

  it('that are status writes of a step cause no event, from the claim to the end', async () => {
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

  it('that touch a deleting object while it waits for its backoff are emitted at once', async () => {
    const seed = createSeed()
    const waiting: Changes = {
      deleted: true,
      last: { type: 'Delete', state: 'Error' },
      step: {
        phase: 'waiting',
        operation: 'delete',
        attempt: 4,
        until: '2026-11-21T12:10:00.000Z',
        request: 'delete@2026-11-21T11:59:58Z@2026-11-21T11:59:59.123456789Z',
      },
    }
    seed.put('DNSRecord', 'x', waiting)
    await seed.bridge()
    await seed.clock.advance(1_000)
    expect(seed.events).toEqual([])
    for (const team of ['a', 'b', 'c']) seed.put('DNSRecord', 'x', { ...waiting, labels: { team } })
    await seed.clock.advance(60_000)
    expect(inWords(seed.events)).toEqual(['delete DNSRecord x (touched)'])
    // The step's own writes are no touches.
    const claim: Changes = {
      ...waiting,
      step: { ...waiting.step, phase: 'running', until: '2026-11-21T12:03:00Z' },
    }
    seed.put('DNSRecord', 'x', claim)
    seed.put('DNSRecord', 'x', { ...claim, last: { type: 'Delete', state: 'Processing' } })
    seed.put('DNSRecord', 'x', {
      ...claim,
      last: { type: 'Delete', state: 'Error', at: '2026-11-21T12:01:02Z' },
    })
    const released: Changes = {
      ...waiting,
      last: { type: 'Delete', state: 'Error', at: '2026-11-21T12:01:02Z' },
      step: { ...waiting.step, attempt: 5, until: '2026-11-21T12:20:00Z' },
    }
    seed.put('DNSRecord', 'x', released)
    await seed.clock.advance(600_000)
    expect(seed.events).toHaveLength(1)
    seed.put('DNSRecord', 'x', { ...released, timestamp: '2026-11-21T12:11:00Z' })
    await seed.clock.advance(0)
    expect(inWords(seed.events).slice(1)).toEqual(['delete DNSRecord x (deletion)'])
  })

  it('of one object in a burst make few events, and the last change is not lost', async () => {
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
    // The function claims the object as it is by then, and all requests with it.
    seed.put('DNSRecord', 'x', claimed(seed.events[0]))
    await seed.clock.advance(5_000)
    expect(seed.events).toHaveLength(1)
    // Asked again while the step runs: held back until the step ends.
    const { step } = claimed(seed.events[0])
    const asked = { operation: 'reconcile', timestamp: '2026-11-21T12:00:07Z', ...(step ? { step } : {}) }
    seed.put('DNSRecord', 'x', { ...asked, last: { state: 'Processing' } })
    await seed.clock.advance(5_000)
    expect(seed.events).toHaveLength(1)
    seed.put('DNSRecord', 'x', { ...asked, last: { state: 'Succeeded', at: '2026-11-21T12:00:12Z' } })
    await seed.clock.advance(0)
    expect(inWords(seed.events).slice(1)).toEqual(['reconcile DNSRecord x (annotation)'])
  })

  it('of one object never have two requests to the sink at a time', async () => {
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
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(60_000)
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

describe('a bridge that ends', () => {
  it('and starts again, or a second one beside it, repeats the ids', async () => {
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

  it('misses nothing that changes before the next one starts', async () => {
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
  it.each<[string, (kubernetes: FakeKubernetes) => void]>([
    ['breaks the watches', () => undefined],
    ['breaks the watches and has then forgotten the version', kubernetes => kubernetes.compact()],
  ])('that %s under changes costs none of them, and repeats none', async (_, afterwards) => {
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

it('sends what the contract of the events says', async () => {
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

it('parks an object without a type, which nothing could be routed by, and says so', async () => {
  const seed = createSeed()
  const { bridge } = await seed.bridge()
  seed.put('DNSRecord', 'x', { spec: { type: 7 } })
  await seed.clock.advance(0)
  expect(bridge.waiting()).toMatchObject([{ state: 'parked', why: 'DNSRecord x has no spec.type' }])
})
