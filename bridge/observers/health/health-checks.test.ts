import { describe, expect, test } from 'vitest'
import { monitoredKinds } from '../../../shared/contract/health.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import { ConnectionError } from '../../../shared/kubernetes/kubernetes.ts'
import { inWords, namespace, useSeeds } from '../../testing/test-seed.ts'
import { at, deployment, deployments, healthyIn, put, reasons, selection } from './testing/monitored-seed.ts'

const createSeed = useSeeds()
const healthy = () => healthyIn(createSeed())

describe('an ordered check', () => {
  test('it is sent 100 ms after a Deployment becomes unhealthy', async () => {
    const { seed } = await healthy()
    deployment(seed, 'False')
    await seed.clock.advance(99)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    expect(inWords(seed.events)).toEqual(['healthcheck ControlPlane c (changed)'])
  })

  test('its event has its own type, with a reference as data', async () => {
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

  test('simultaneous changes order one check, continuous changes fewer and fewer', async () => {
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

  test('a change right after a check by the clock is checked as early', async () => {
    const { seed } = await healthy()
    await seed.clock.advance(220_000)
    expect(reasons(seed)).toEqual(['refresh'])
    deployment(seed, 'False')
    await seed.clock.advance(100)
    expect(reasons(seed)).toEqual(['refresh', 'changed'])
  })

  test('a change is also checked after the clock was set back', async () => {
    const { seed } = await healthy()
    deployment(seed, 'False')
    await seed.clock.advance(100)
    const now = seed.clock.now
    Object.assign(seed.clock, { now: () => now() - 3_600_000 })
    deployment(seed, 'True')
    await seed.clock.advance(1_000)
    expect(reasons(seed)).toEqual(['changed', 'changed'])
  })

  test('the creation or deletion of a Deployment orders a check', async () => {
    const { seed } = await healthy()
    deployment(seed, 'True', 'csi')
    await seed.clock.advance(5_000)
    seed.kubernetes.remove(deployments, { name: 'ccm', namespace })
    await seed.clock.advance(5_000)
    expect(reasons(seed)).toEqual(['changed', 'changed'])
  })

  test('a change in another namespace orders no check', async () => {
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
  ])('it is sent before the condition looks old, at a random time: %s', async (random, seconds) => {
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
    // The function has rewritten it.
    put(seed, { written: 1 + seconds })
    await seed.clock.advance(seconds * 1_000 - 1)
    expect(seed.events).toHaveLength(1)
  })

  test('it is repeated every 30 s while the condition is not True', async () => {
    const { seed } = await healthy()
    put(seed, { status: 'Unknown', written: 20 })
    await seed.clock.advance(29_999)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    await seed.clock.advance(30_000)
    expect(reasons(seed)).toEqual(['unhealthy', 'unhealthy'])
  })

  test('a change of the spec orders one', async () => {
    const { seed } = await healthy()
    put(seed, { written: 0, metadata: { generation: 2 } })
    await seed.clock.advance(100)
    expect(reasons(seed)).toEqual(['changed'])
  })

  test('after the start, each object is checked once within a minute', async () => {
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

describe('a check that is not ordered', () => {
  test('Deployments in the first list order none, because all shoots would be checked at once', async () => {
    const seed = createSeed()
    put(seed, { written: 0 })
    deployment(seed, 'True')
    await seed.bridge({ selection, monitored: monitoredKinds, random: () => 0.5 })
    await seed.clock.advance(29_000)
    expect(seed.events).toEqual([])
  })

  test('numbers and texts that no condition uses order none', async () => {
    const { seed } = await healthy()
    const ccm = deployment(seed, 'True')
    seed.kubernetes.put(deployments, { ...ccm, status: { ...Object(ccm.status), readyReplicas: 7 } })
    await seed.clock.advance(10_000)
    expect(seed.events).toEqual([])
  })

  test('a hibernated shoot orders none, except one when hibernation begins and one when it ends', async () => {
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
    sleep(true)
    await seed.clock.advance(3_600_000)
    const before = seed.events.length
    // Without a Cluster, nothing says that the shoot is hibernated.
    seed.kubernetes.remove(clusterKind.resource, { name: namespace })
    await seed.clock.advance(300_000)
    expect(reasons(seed).slice(before)).toContain('refresh')
  })

  test('deleted objects order none', async () => {
    const { seed } = await healthy()
    put(seed, { written: 0, metadata: { deletionTimestamp: at(20), finalizers: ['a'] }, status: 'False' })
    deployment(seed, 'False')
    await seed.clock.advance(600_000)
    expect(seed.events.filter(({ operation }) => operation === 'healthcheck')).toEqual([])
  })

  test('an object that migrates to another seed orders none until it no longer migrates (H6)', async () => {
    const { seed } = await healthy()
    put(seed, { written: 0, metadata: { annotations: { 'gardener.cloud/operation': 'migrate' } } })
    await seed.clock.advance(600_000)
    const checks = () => seed.events.filter(({ operation }) => operation === 'healthcheck')
    expect(checks()).toEqual([])
    put(seed, { written: 0 })
    await seed.clock.advance(100)
    expect(checks()).toHaveLength(1)
  })

  test('a migrated object orders none', async () => {
    const { seed } = await healthy()
    put(seed, { written: 0, lastOperation: 'Migrate' })
    await seed.clock.advance(600_000)
    expect(seed.events).toEqual([])
  })

  test('an object whose event cannot be built orders none, and is reported', async () => {
    const seed = createSeed()
    const object = put(seed, { written: 0 })
    seed.kubernetes.put(kinds.ControlPlane.resource, { ...object, spec: { type: 'x'.repeat(254) } })
    await seed.bridge({ selection, monitored: monitoredKinds, random: () => 0 })
    await seed.clock.advance(1_000)
    expect(seed.events).toEqual([])
    const why = expect.stringContaining('spec.type exceeds the limit')
    expect(seed.observed).toContainEqual(
      expect.objectContaining({ type: 'health', outcome: 'impossible', why }),
    )
  })

  test('a type without a function orders none, if that is known', async () => {
    const seed = createSeed()
    put(seed)
    await seed.bridge({ selection, monitored: monitoredKinds, served: { ControlPlane: ['other'] } })
    await seed.clock.advance(600_000)
    expect(seed.events).toEqual([])
  })

  test('a bridge that does not lead orders none, and catches up within a minute when it leads', async () => {
    const seed = createSeed()
    put(seed, { written: 0 })
    let isLeading = false
    let changeLeader: (leading: boolean) => void = () => {}
    await seed.bridge({
      selection,
      monitored: monitoredKinds,
      random: () => 0.9,
      leadership: {
        leading: () => isLeading,
        run: (signal, changed) => {
          changeLeader = changed
          return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
        },
      },
    })
    deployment(seed, 'False')
    await seed.clock.advance(600_000)
    expect(seed.events).toEqual([])
    isLeading = true
    changeLeader(true)
    await seed.clock.advance(60_000)
    expect(reasons(seed)).toEqual(['start'])
  })
})

test('a broken watch is restarted, and changes in between are checked', async () => {
  const { seed } = await healthy()
  seed.kubernetes.compact()
  deployment(seed, 'False')
  seed.kubernetes.breakWatches(new ConnectionError('gone', { cause: undefined, sent: true }))
  await seed.clock.advance(30_000)
  expect(reasons(seed)).toContain('changed')
})
