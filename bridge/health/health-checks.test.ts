import { describe, expect, test } from 'vitest'
import { monitoredKinds } from '../../shared/contract/health.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { ConnectionError } from '../../shared/kubernetes/kubernetes.ts'
import type { BridgeOptions } from '../create-bridge.ts'
import { type BridgeTestSeed, inWords, namespace, useSeeds } from '../testing/test-seed.ts'
import {
  at,
  deployment,
  deployments,
  healthyIn,
  put,
  reasons,
  roundAt,
  selection,
  start,
} from './testing/monitored-seed.ts'

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
      provider: 'acme',
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

  test('a change right after a check of a round is checked as early', async () => {
    const { seed } = await healthy()
    await seed.clock.advance((roundAt - 20) * 1_000)
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

  test('it is repeated while the condition is not True', async () => {
    const { seed } = await healthy()
    put(seed, { status: 'Unknown', written: 20 })
    await seed.clock.advance(29_999)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    await seed.clock.advance(30_000)
    await seed.clock.advance(60_000)
    expect(reasons(seed)).toEqual(['unhealthy', 'unhealthy', 'unhealthy'])
  })

  test('a change of the spec orders one', async () => {
    const { seed } = await healthy()
    put(seed, { written: 0, metadata: { generation: 2 } })
    await seed.clock.advance(100)
    expect(reasons(seed)).toEqual(['changed'])
  })
})

describe('a round', () => {
  const many = async (options: Partial<BridgeOptions> = {}) => {
    const seed = createSeed()
    for (let index = 0; index < 60; index++) put(seed, { written: -900, metadata: { name: `c${index}` } })
    seed.sink = event => {
      if (event.reason !== 'round')
        put(seed, { written: (seed.clock.now() - start) / 1_000, metadata: { name: event.name } })
      return { kind: 'accepted' }
    }
    const started = await seed.bridge({ selection, monitored: monitoredKinds, ...options })
    return { seed, ...started }
  }
  const times = async (seed: BridgeTestSeed, ms: number) => {
    const before = seed.events.length
    await seed.clock.advance(ms)
    return seed.events.slice(before).map(({ time }) => (Date.parse(time) - start) / 1_000)
  }

  test('after the start, one check wakes the function, and all others follow in one burst', async () => {
    const { seed } = await many()
    const seconds = await times(seed, roundAt * 1_000 - 1)
    expect(new Set(seed.events.map(({ name }) => name)).size).toBe(60)
    expect(reasons(seed)).toEqual(['refresh', ...Array.from({ length: 59 }, () => 'round')])
    expect(seconds[0]).toBe(5)
    expect(seconds[1]).toBeGreaterThanOrEqual(8)
    expect(seconds.at(-1)).toBeLessThan(9.5)
  })

  test('every 20 minutes all objects are checked in one burst', async () => {
    const { seed } = await many()
    await seed.clock.advance(roundAt * 1_000 - 1)
    const seconds = await times(seed, 3_600_000)
    expect(seconds).toHaveLength(180)
    const starts = seconds.filter((second, index) => index === 0 || second - Number(seconds[index - 1]) > 60)
    expect(starts).toEqual([roundAt, roundAt + 1_200, roundAt + 2_400])
    expect(seconds.filter(second => second < roundAt + 60).at(-1)).toBeLessThan(roundAt + 4.5)
  })

  test('another object proves in each round that the function answers', async () => {
    const { seed } = await many()
    await seed.clock.advance(4 * 3_600_000)
    const proofs = seed.events.filter(({ reason }) => reason === 'refresh').map(({ name }) => name)
    expect(proofs).toHaveLength(13)
    expect(new Set(proofs).size).toBe(13)
  })

  test('its interval is a setting', async () => {
    const { seed } = await many({ roundMs: 60_000 })
    await seed.clock.advance(600_000)
    expect(seed.events).toHaveLength(11 * 60)
  })

  test('a restarted bridge has the same rounds', async () => {
    const { seed, stop } = await many()
    await seed.clock.advance(417_000)
    await stop()
    await seed.bridge({ selection, monitored: monitoredKinds })
    await seed.clock.advance(60_000)
    const [first] = await times(seed, 1_200_000)
    expect(first).toBe(roundAt > 477 ? roundAt : roundAt + 1_200)
  })

  test('a bridge whose clock is set back starts the next round within 20 minutes', async () => {
    const { seed } = await many()
    await seed.clock.advance(60_000)
    seed.events.splice(0)
    const now = seed.clock.now
    Object.assign(seed.clock, { now: () => now() - 24 * 3_600_000 })
    await seed.clock.advance(1_300_000)
    expect(seed.events.length).toBeGreaterThanOrEqual(60)
  })

  test('it starts at once when events reach functions again', async () => {
    let broken: string | undefined
    const { seed, bridge } = await many({ deliveryPath: { brokenFor: () => broken } })
    await seed.clock.advance(60_000)
    seed.events.splice(0)
    broken = 'the Broker default is not ready'
    await seed.clock.advance(60_000)
    expect(bridge.healthProblem(['acme'])).toBe(broken)
    expect(seed.events).toEqual([])
    broken = undefined
    await seed.clock.advance(40_000)
    expect(bridge.healthProblem(['acme'])).toBeUndefined()
    expect(new Set(seed.events.map(({ name }) => name)).size).toBe(60)
  })

  test('objects that a slow first list adds later are checked too', async () => {
    const seed = createSeed()
    for (const name of ['a', 'b']) put(seed, { written: 0, metadata: { name } })
    const { port } = seed.kubernetes
    async function* slowed(events: ReturnType<typeof port.watch>) {
      for await (const event of events) {
        await seed.clock.sleep(20_000)
        yield event
      }
    }
    const watch: typeof port.watch = (resource, options) => {
      const events = port.watch(resource, options)
      return resource.plural === 'controlplanes' ? slowed(events) : events
    }
    await seed.bridge({ selection, monitored: monitoredKinds, kubernetes: { ...port, watch } })
    await seed.clock.advance(50_000)
    expect(inWords(seed.events)).toEqual([
      'healthcheck ControlPlane a (round)',
      'healthcheck ControlPlane b (round)',
    ])
    // A slow list ends with its last sleep.
    await seed.clock.advance(60_000)
  })
})

describe('a check that is not ordered', () => {
  test('Deployments in the first list order none, because all shoots would be checked at once', async () => {
    const seed = createSeed()
    put(seed, { written: 0 })
    deployment(seed, 'True')
    await seed.bridge({ selection, monitored: monitoredKinds })
    await seed.clock.advance(4_999)
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
    await seed.clock.advance(100)
    put(seed, { written: 20.1 })
    await seed.clock.advance(3_600_000)
    expect(reasons(seed)).toEqual(['changed'])
    sleep(false)
    await seed.clock.advance(100)
    expect(reasons(seed)).toEqual(['changed', 'changed'])
    put(seed, { written: 3620.2 })
    sleep(true)
    await seed.clock.advance(100)
    put(seed, { written: 3620.3 })
    await seed.clock.advance(3_600_000)
    const before = seed.events.length
    // Without a Cluster, nothing says that the shoot is hibernated.
    seed.kubernetes.remove(clusterKind.resource, { name: namespace })
    await seed.clock.advance(1_300_000)
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
    await seed.bridge({ selection, monitored: monitoredKinds })
    await seed.clock.advance(10_000)
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

  test('a type with a function without health checks orders none, and no answer is expected', async () => {
    const seed = createSeed()
    put(seed)
    const unchecked = { kind: 'ControlPlane', type: 'acme', classes: ['shoot'], unchecked: true } as const
    const other = { kind: 'ControlPlane', type: 'other', classes: ['shoot'] } as const
    const { bridge } = await seed.bridge({
      selection: { ...selection, served: [unchecked, other] },
      monitored: monitoredKinds,
    })
    deployment(seed, 'False')
    await seed.clock.advance(3 * 3_600_000)
    expect(seed.events.filter(({ operation }) => operation === 'healthcheck')).toEqual([])
    expect(bridge.healthProblem(['acme'])).toBeUndefined()
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
