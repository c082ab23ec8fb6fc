import { describe, expect, test } from 'vitest'
import { monitoredKinds } from '../../shared/contract/health.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import {
  ConnectionError,
  type GroupVersionResource,
  type ObjectMeta,
} from '../../shared/kubernetes/kubernetes.ts'
import type { BridgeOptions } from '../create-bridge.ts'
import { type BridgeTestSeed, inWords, namespace, useSeeds } from '../testing/test-seed.ts'

const createSeed = useSeeds()
const deployments: GroupVersionResource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}
const selection = {
  kinds: ['ControlPlane', 'Worker'],
  types: [],
  classes: ['shoot'],
  namespaces: [],
  labels: undefined,
} as const satisfies BridgeOptions['selection']

const start = Date.parse('2026-11-21T12:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString().replace('.000Z', 'Z')

interface Shown {
  readonly metadata?: Partial<ObjectMeta>
  readonly status?: string
  /** Seconds after the start of the test at which the condition was written; undefined: there is none. */
  readonly written?: number | undefined
  readonly lastOperation?: string
}

/** A ControlPlane that has succeeded, and says of its health what a function has written. */
const put = (
  seed: BridgeTestSeed,
  { metadata, status = 'True', written, lastOperation = 'Reconcile' }: Shown = {},
) =>
  seed.kubernetes.put(kinds.ControlPlane.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'ControlPlane',
    metadata: { name: 'c', namespace, ...metadata },
    spec: { type: 'test' },
    status: {
      lastOperation: { type: lastOperation, state: 'Succeeded', lastUpdateTime: at(-60) },
      conditions:
        written === undefined ? [] : [{ type: 'ControlPlaneHealthy', status, lastUpdateTime: at(written) }],
    },
  })

const deployment = (seed: BridgeTestSeed, status: string, name = 'ccm') =>
  seed.kubernetes.put(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, generation: 1 },
    spec: { replicas: 1 },
    status: { observedGeneration: 1, conditions: [{ type: 'Available', status }] },
  })

const healthy = async (options: Partial<BridgeOptions> = {}) => {
  const seed = createSeed()
  put(seed, { written: 0 })
  deployment(seed, 'True')
  // The catch-up of the start comes at once, and refreshing after 240 s.
  const started = await seed.bridge({ selection, monitored: monitoredKinds, random: () => 0, ...options })
  await seed.clock.advance(20_000)
  const [first] = seed.events.splice(0)
  expect(first?.reason).toBe('start')
  return { seed, ...started }
}

const reasons = (seed: BridgeTestSeed) => seed.events.map(({ reason }) => reason)

describe('a check is ordered', () => {
  test('100 ms after a Deployment has turned unhealthy', async () => {
    const { seed } = await healthy()
    deployment(seed, 'False')
    await seed.clock.advance(99)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    expect(inWords(seed.events)).toEqual(['healthcheck ControlPlane c (changed)'])
  })

  test('by an event of its own type, whose data is a reference', async () => {
    const { seed } = await healthy()
    deployment(seed, 'False')
    await seed.clock.advance(100)
    const [event] = seed.events
    expect(event).toMatchObject({
      type: 'cloud.gardener.extensions.controlplane.healthcheck',
      subject: `${namespace}/c`,
      kind: 'ControlPlane',
      provider: 'test',
      extclass: 'shoot',
      source: '/seeds/test',
    })
    expect(event?.data).toBeUndefined()
  })

  test('once for changes that come together, and less and less often for those that go on', async () => {
    const { seed } = await healthy()
    const times: number[] = []
    seed.sink = () => {
      times.push(seed.clock.now())
      return { kind: 'accepted' }
    }
    for (let tenth = 0; tenth < 200; tenth++) {
      deployment(seed, tenth % 2 === 0 ? 'False' : 'True')
      await seed.clock.advance(100)
    }
    const gaps = times.slice(1).map((time, index) => time - Number(times[index]))
    expect(gaps).toEqual([500, 1_000, 2_000, 4_000, 8_000])
  })

  test('as soon for a change that comes right after a check by the clock', async () => {
    const { seed } = await healthy()
    await seed.clock.advance(220_000)
    expect(reasons(seed)).toEqual(['refresh'])
    deployment(seed, 'False')
    await seed.clock.advance(100)
    expect(reasons(seed)).toEqual(['refresh', 'changed'])
  })

  test('also after the clock was set back', async () => {
    const { seed } = await healthy()
    deployment(seed, 'False')
    await seed.clock.advance(100)
    const now = seed.clock.now
    Object.assign(seed.clock, { now: () => now() - 3_600_000 })
    deployment(seed, 'True')
    await seed.clock.advance(1_000)
    expect(reasons(seed)).toEqual(['changed', 'changed'])
  })

  test('when a Deployment comes or goes', async () => {
    const { seed } = await healthy()
    deployment(seed, 'True', 'csi')
    await seed.clock.advance(5_000)
    seed.kubernetes.remove(deployments, { name: 'ccm', namespace })
    await seed.clock.advance(5_000)
    expect(reasons(seed)).toEqual(['changed', 'changed'])
  })

  test('for the shoots of that namespace alone', async () => {
    const { seed } = await healthy()
    seed.kubernetes.put(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'ccm', namespace: 'other' },
    })
    await seed.clock.advance(10_000)
    expect(seed.events).toEqual([])
  })

  test.each([
    [0, 240],
    [0.99, 279.6],
  ])('before the condition looks old, at a time of chance: %s', async (random, seconds) => {
    const seed = createSeed()
    await seed.bridge({ selection, monitored: monitoredKinds, random: () => random })
    put(seed)
    await seed.clock.advance(1_000)
    put(seed, { written: 1 })
    await seed.clock.advance(0)
    seed.events.splice(0)
    await seed.clock.advance(seconds * 1_000 - 1)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    expect(reasons(seed)).toEqual(['refresh'])
    // The function has written it anew.
    put(seed, { written: 1 + seconds })
    await seed.clock.advance(seconds * 1_000 - 1)
    expect(seed.events).toHaveLength(1)
  })

  test('every 30 s while the condition is not True', async () => {
    const { seed } = await healthy()
    put(seed, { status: 'Unknown', written: 20 })
    await seed.clock.advance(29_999)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    await seed.clock.advance(30_000)
    expect(reasons(seed)).toEqual(['unhealthy', 'unhealthy'])
  })

  test('when the spec is another one', async () => {
    const { seed } = await healthy()
    put(seed, { written: 0, metadata: { generation: 2 } })
    await seed.clock.advance(100)
    expect(reasons(seed)).toEqual(['changed'])
  })

  test('within a minute after the start, once for each', async () => {
    const seed = createSeed()
    for (let index = 0; index < 60; index++) put(seed, { written: 0, metadata: { name: `c${index}` } })
    let draw = 0
    await seed.bridge({ selection, monitored: monitoredKinds, random: () => (draw++ % 100) / 100 })
    await seed.clock.advance(30_000)
    const half = seed.events.length
    expect(half).toBeGreaterThan(15)
    expect(half).toBeLessThan(45)
    await seed.clock.advance(30_000)
    expect(new Set(seed.events.map(({ name }) => name)).size).toBe(60)
    expect(seed.events).toHaveLength(60)
  })
})

describe('no check is ordered', () => {
  test('for Deployments that are there at first: all shoots would be checked at once', async () => {
    const seed = createSeed()
    put(seed, { written: 0 })
    deployment(seed, 'True')
    await seed.bridge({ selection, monitored: monitoredKinds, random: () => 0.5 })
    await seed.clock.advance(29_000)
    expect(seed.events).toEqual([])
  })

  test('for numbers and texts that no condition is made of', async () => {
    const { seed } = await healthy()
    const ccm = deployment(seed, 'True')
    seed.kubernetes.put(deployments, { ...ccm, status: { ...Object(ccm.status), readyReplicas: 7 } })
    await seed.clock.advance(10_000)
    expect(seed.events).toEqual([])
  })

  test('while the shoot is to be hibernated, but for one when that begins and one when it ends', async () => {
    const { seed } = await healthy()
    const sleep = (enabled: boolean) =>
      seed.kubernetes.put(clusterKind.resource, {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Cluster',
        metadata: { name: namespace },
        spec: {
          shoot: { spec: { hibernation: { enabled } }, status: { lastOperation: { state: 'Succeeded' } } },
        },
      })
    sleep(true)
    await seed.clock.advance(3_600_000)
    expect(reasons(seed)).toEqual(['changed'])
    sleep(false)
    await seed.clock.advance(100)
    expect(reasons(seed)).toEqual(['changed', 'refresh'])
  })

  test('for what is deleted', async () => {
    const { seed } = await healthy()
    put(seed, { written: 0, metadata: { deletionTimestamp: at(20), finalizers: ['a'] }, status: 'False' })
    deployment(seed, 'False')
    await seed.clock.advance(600_000)
    expect(seed.events.filter(({ operation }) => operation === 'healthcheck')).toEqual([])
  })

  test('for what goes to another seed, until it does not (H6)', async () => {
    const { seed } = await healthy()
    put(seed, { written: 0, metadata: { annotations: { 'gardener.cloud/operation': 'migrate' } } })
    await seed.clock.advance(600_000)
    const checks = () => seed.events.filter(({ operation }) => operation === 'healthcheck')
    expect(checks()).toEqual([])
    put(seed, { written: 0 })
    await seed.clock.advance(100)
    expect(checks()).toHaveLength(1)
  })

  test('for what has gone to another seed', async () => {
    const { seed } = await healthy()
    put(seed, { written: 0, lastOperation: 'Migrate' })
    await seed.clock.advance(600_000)
    expect(seed.events).toEqual([])
  })

  test('for a type that nobody serves, where that is known', async () => {
    const seed = createSeed()
    put(seed)
    await seed.bridge({ selection, monitored: monitoredKinds, served: { ControlPlane: ['other'] } })
    await seed.clock.advance(600_000)
    expect(seed.events).toEqual([])
  })

  test('by a bridge that does not lead, which catches up within a minute when it does', async () => {
    const seed = createSeed()
    put(seed, { written: 0 })
    let isLeading = false
    let tell: (leading: boolean) => void = () => {}
    await seed.bridge({
      selection,
      monitored: monitoredKinds,
      random: () => 0.9,
      leadership: {
        leading: () => isLeading,
        run: (signal, changed) => {
          tell = changed
          return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
        },
      },
    })
    deployment(seed, 'False')
    await seed.clock.advance(600_000)
    expect(seed.events).toEqual([])
    isLeading = true
    tell(true)
    await seed.clock.advance(60_000)
    expect(reasons(seed)).toEqual(['start'])
  })
})

describe('when the sink', () => {
  test('does not take it, it is ordered again until it does', async () => {
    const { seed } = await healthy()
    let isDown = true
    seed.sink = () => (isDown ? { kind: 'retry', reason: 'down' } : { kind: 'accepted' })
    deployment(seed, 'False')
    await seed.clock.advance(60_000)
    isDown = false
    seed.events.splice(0)
    await seed.clock.advance(60_000)
    expect(reasons(seed)[0]).toBe('changed')
  })

  test('refuses it, the next one is ordered a minute later', async () => {
    const { seed } = await healthy()
    seed.sink = () => ({ kind: 'rejected', status: 400, reason: 'no' })
    put(seed, { status: 'False', written: 20 })
    await seed.clock.advance(30_000)
    expect(reasons(seed)).toEqual(['unhealthy'])
    await seed.clock.advance(59_999)
    expect(seed.events).toHaveLength(1)
    await seed.clock.advance(1)
    expect(seed.events).toHaveLength(2)
  })

  test('is away for long, nobody vouches for what is shown', async () => {
    const { seed, bridge } = await healthy()
    seed.sink = () => ({ kind: 'retry', reason: 'down' })
    await seed.clock.advance(220_000 + 150_000)
    expect(bridge.healthAnswered('test')).toBe(true)
    await seed.clock.advance(1_000)
    expect(bridge.healthAnswered('test')).toBe(false)
  })

  test('is slow, others are not held up', async () => {
    const seed = createSeed()
    for (let index = 0; index < 40; index++) put(seed, { written: 0, metadata: { name: `c${index}` } })
    seed.sink = () => new Promise(() => {})
    await seed.bridge({ selection, monitored: monitoredKinds, random: () => 0 })
    await seed.clock.advance(5_000)
    expect(seed.events).toHaveLength(40)
  })
})

describe('whether checks are answered', () => {
  test('shows by conditions that are written anew, of any object of the kind and provider', async () => {
    const { seed, bridge } = await healthy()
    put(seed, { written: 0, metadata: { name: 'other' } })
    await seed.clock.advance(240_000)
    expect(bridge.healthAnswered('test')).toBe(true)
    await seed.clock.advance(150_000)
    expect(bridge.healthAnswered('test')).toBe(false)
    expect(bridge.healthAnswered('another')).toBe(true)
    put(seed, { written: 410, metadata: { name: 'other' } })
    await seed.clock.advance(0)
    expect(bridge.healthAnswered('test')).toBe(true)
  })

  test('does not depend on an object that is gone', async () => {
    const { seed, bridge } = await healthy()
    await seed.clock.advance(600_000)
    expect(bridge.healthAnswered('test')).toBe(false)
    seed.kubernetes.remove(kinds.ControlPlane.resource, { name: 'c', namespace })
    await seed.clock.advance(0)
    expect(bridge.healthAnswered('test')).toBe(true)
  })

  test('does not depend on an object that was made anew', async () => {
    const { seed, bridge } = await healthy()
    await seed.clock.advance(600_000)
    expect(bridge.healthAnswered('test')).toBe(false)
    put(seed, { written: 620, metadata: { uid: 'another' } })
    await seed.clock.advance(0)
    expect(bridge.healthAnswered('test')).toBe(true)
  })

  test('does not depend on an object that is gone while another one is not asked', async () => {
    const { seed, bridge } = await healthy()
    put(seed, { written: 0, metadata: { name: 'broken' }, status: 'False' })
    await seed.clock.advance(200_000)
    put(seed, { written: 200 })
    await seed.clock.advance(100)
    expect(bridge.healthAnswered('test')).toBe(true)
    put(seed, { metadata: { name: 'another' } })
    await seed.clock.advance(140_000)
    seed.kubernetes.remove(kinds.ControlPlane.resource, { name: 'another', namespace })
    await seed.clock.advance(60_000)
    expect(bridge.healthAnswered('test')).toBe(true)
  })

  test('does not depend on an object that was asked in vain before others answered', async () => {
    const { seed, bridge } = await healthy()
    put(seed, { metadata: { name: 'broken' } })
    await seed.clock.advance(100_000)
    put(seed, { written: 120 })
    for (let second = 0; second < 230; second += 10) {
      await seed.clock.advance(10_000)
      expect(bridge.healthAnswered('test')).toBe(true)
    }
  })

  test('is not told by what was asked while this bridge led before', async () => {
    const seed = createSeed()
    put(seed, { written: 0 })
    let isLeading = true
    let tell: (leading: boolean) => void = () => {}
    const { bridge } = await seed.bridge({
      selection,
      monitored: monitoredKinds,
      random: () => 0,
      leadership: {
        leading: () => isLeading,
        run: (signal, changed) => {
          tell = changed
          tell(true)
          return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
        },
      },
    })
    await seed.clock.advance(400_000)
    expect(bridge.healthAnswered('test')).toBe(false)
    isLeading = false
    tell(false)
    await seed.clock.advance(600_000)
    isLeading = true
    tell(true)
    await seed.clock.advance(1_000)
    expect(bridge.healthAnswered('test')).toBe(true)
  })

  test('by nobody for long, they are ordered less and less often', async () => {
    const { seed } = await healthy()
    await seed.clock.advance(4 * 3_600_000)
    expect(seed.events.length).toBeLessThan(40)
    expect(seed.events.length).toBeGreaterThan(20)
  })
})

test('a watch that breaks is begun again, and what changed meanwhile is checked', async () => {
  const { seed } = await healthy()
  seed.kubernetes.compact()
  deployment(seed, 'False')
  seed.kubernetes.breakWatches(new ConnectionError('gone', { cause: undefined, sent: true }))
  await seed.clock.advance(30_000)
  expect(reasons(seed)).toContain('changed')
})
