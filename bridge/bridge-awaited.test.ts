import { describe, expect, test } from 'vitest'
import { awaitedBy } from '../shared/contract/awaited.ts'
import type { ExtensionEvent } from '../shared/events/events.ts'
import { KubernetesError, type KubernetesObject } from '../shared/kubernetes/kubernetes.ts'
import { type BridgeTestSeed, inWords, namespace } from './testing/test-seed.ts'
import {
  claims,
  deployment,
  deployments,
  put,
  useWaitingWorkers,
  waits,
  waitsAfter,
  workersAlone,
} from './testing/waiting-worker.ts'

const { createSeed, seedThatWaits } = useWaitingWorkers()
const ofWorkers = { selection: workersAlone }

describe('a step that waits', () => {
  test('it continues at once when the last awaited object is ready, with the event of its due time', async () => {
    const { seed } = await seedThatWaits()
    put(seed, 'a', 2)
    put(seed, 'b', 2)
    await seed.clock.advance(200)
    expect(inWords(seed.events)).toEqual(['continue Worker w (changed)'])
    const other = await seedThatWaits()
    await other.seed.clock.advance(30_000)
    expect(inWords(other.seed.events)).toEqual(['continue Worker w (due)'])
    const uid = (seen: BridgeTestSeed) => seen.events[0]?.objectuid
    expect(uid(seed)).toBe(uid(other.seed))
    expect(seed.events[0]?.id).toBe(other.seed.events[0]?.id)
  })

  test('a change shortly before its due time does not delay it', async () => {
    const { seed } = await seedThatWaits()
    await seed.clock.advance(29_900)
    put(seed, 'a', 2)
    await seed.clock.advance(100)
    expect(seed.events).toHaveLength(1)
  })

  test('it continues when the awaited deletion is complete', async () => {
    const { seed } = await seedThatWaits()
    seed.kubernetes.remove(deployments, { namespace, name: 'a' })
    seed.kubernetes.remove(deployments, { namespace, name: 'b' })
    await seed.clock.advance(200)
    expect(inWords(seed.events)).toEqual(['continue Worker w (changed)'])
  })

  test('it ignores irrelevant changes, changes elsewhere, and new objects that are not ready yet', async () => {
    const { seed } = await seedThatWaits()
    put(seed, 'a', 0, { conditions: [{ type: 'Available', status: 'False', lastUpdateTime: 'later' }] })
    put(seed, 'c', 0)
    const elsewhere = deployment('a', 2)
    seed.kubernetes.put(deployments, {
      ...elsewhere,
      metadata: { ...elsewhere.metadata, namespace: 'shoot--foo--other' },
    })
    await seed.clock.advance(29_999)
    expect(seed.events).toEqual([])
  })

  test('a failed step waits for its time, whatever changes', async () => {
    const seed = createSeed()
    await seed.bridge(ofWorkers)
    seed.put('Worker', 'w', { ...waits, last: { state: 'Error' } })
    await seed.clock.advance(0)
    put(seed, 'a', 2)
    await seed.clock.advance(1_000)
    seed.put('Worker', 'w', { ...waits, last: { state: 'Error' }, labels: { any: 'thing' } })
    await seed.clock.advance(28_999)
    expect(seed.events).toEqual([])
    await seed.clock.advance(1)
    expect(inWords(seed.events)).toEqual(['reconcile Worker w (retry)'])
  })

  test('a step of another kind, or a success that is due again, waits for its time', async () => {
    const seed = createSeed()
    const kinds = ['Worker', 'DNSRecord'] as const
    await seed.bridge({
      selection: { kinds, classes: ['shoot'], namespaces: [] },
    })
    seed.put('DNSRecord', 'w', waits)
    seed.put('Worker', 'w', { ...waits, last: { state: 'Succeeded' } })
    await seed.clock.advance(0)
    put(seed, 'a', 2)
    await seed.clock.advance(29_999)
    expect(seed.events).toEqual([])
  })
})

describe('a change while the object is claimed', () => {
  test('it sends nothing, and counts as soon as the step reports that it waits', async () => {
    const { seed } = await seedThatWaits()
    seed.put('Worker', 'w', claims({ id: 'other' } as ExtensionEvent))
    await seed.clock.advance(0)
    put(seed, 'a', 2)
    put(seed, 'b', 2)
    await seed.clock.advance(20_000)
    expect(seed.events).toEqual([])
    seed.put('Worker', 'w', waitsAfter({ id: 'other' } as ExtensionEvent))
    await seed.clock.advance(0)
    expect(inWords(seed.events)).toEqual(['continue Worker w (changed)'])
  })

  test('a change after its event is sent again, a change before it is not', async () => {
    const { seed } = await seedThatWaits()
    put(seed, 'a', 2)
    await seed.clock.advance(200)
    expect(seed.events).toHaveLength(1)
    put(seed, 'b', 2)
    await seed.clock.advance(10)
    seed.put('Worker', 'w', claims(seed.events[0]))
    await seed.clock.advance(300)
    seed.put('Worker', 'w', waitsAfter(seed.events[0]))
    await seed.clock.advance(190)
    expect(seed.events).toHaveLength(2)
    seed.put('Worker', 'w', claims(seed.events[1]))
    await seed.clock.advance(300)
    seed.put('Worker', 'w', { ...waitsAfter(seed.events[1]), last: { state: 'Processing' } })
    await seed.clock.advance(29_000)
    expect(inWords(seed.events)).toEqual(['continue Worker w (changed)', 'continue Worker w (changed)'])
    expect(seed.events[0]?.id).not.toBe(seed.events[1]?.id)
  })

  test('a success leaves nothing behind', async () => {
    const { seed, bridge } = await seedThatWaits()
    seed.put('Worker', 'w', claims({ id: 'other' } as ExtensionEvent))
    await seed.clock.advance(0)
    put(seed, 'a', 2)
    await seed.clock.advance(0)
    seed.put('Worker', 'w', { ...claims({ id: 'other' } as ExtensionEvent), last: { state: 'Succeeded' } })
    await seed.clock.advance(60_000)
    expect(seed.events).toEqual([])
    expect(bridge.waiting()).toEqual([])
  })
})

describe('a lost hint', () => {
  test('if the broker loses it, the continue at the due time replaces it, and the object is not reported as unclaimed', async () => {
    const { seed } = await seedThatWaits()
    put(seed, 'a', 2)
    await seed.clock.advance(29_999)
    expect(inWords(seed.events)).toEqual(['continue Worker w (changed)'])
    await seed.clock.advance(1)
    expect(inWords(seed.events)).toEqual(['continue Worker w (changed)', 'continue Worker w (due)'])
    expect(new Set(seed.events.map(({ id }) => id)).size).toBe(1)
    const unclaimed = () => seed.observed.filter(({ type }) => type === 'unclaimed')
    await seed.clock.advance(89_999)
    expect(unclaimed()).toEqual([])
    await seed.clock.advance(1)
    expect(unclaimed()).toMatchObject([{ times: 1 }])
  })

  test('shortly before the due time, the function gets 5 s', async () => {
    const { seed } = await seedThatWaits()
    await seed.clock.advance(28_000)
    put(seed, 'a', 2)
    await seed.clock.advance(5_199)
    expect(seed.events).toHaveLength(1)
    await seed.clock.advance(1)
    expect(seed.events).toHaveLength(2)
  })

  test('if the bridge loses it, the continue at the due time replaces it too', async () => {
    const { seed, stop } = await seedThatWaits()
    put(seed, 'a', 2)
    put(seed, 'b', 2)
    await stop()
    await seed.bridge(ofWorkers)
    await seed.clock.advance(30_000)
    expect(inWords(seed.events)).toEqual(['continue Worker w (due)'])
  })

  test('a hint while the sink is away is sent when the sink is back', async () => {
    const { seed } = await seedThatWaits()
    seed.sink = () => ({ kind: 'retry', reason: 'refused' })
    put(seed, 'a', 2)
    await seed.clock.advance(10_000)
    const tried = seed.events.length
    expect(tried).toBeGreaterThan(1)
    seed.sink = () => ({ kind: 'accepted' })
    await seed.clock.advance(1_000)
    expect(seed.events).toHaveLength(tried + 1)
    expect(new Set(seed.events.map(({ id }) => id)).size).toBe(1)
  })
})

/** Handles events as a function does: claims after 50 ms, and waits or succeeds 250 ms later. */
const functionOf = (seed: BridgeTestSeed, isDone: () => boolean) => {
  seed.sink = async event => {
    void (async () => {
      await seed.clock.sleep(50)
      seed.put('Worker', 'w', claims(event))
      const done = isDone()
      await seed.clock.sleep(250)
      const until = new Date(seed.clock.now() + 30_000).toISOString()
      seed.put(
        'Worker',
        'w',
        done
          ? { ...claims(event), last: { state: 'Succeeded' } }
          : { ...waitsAfter(event), step: { ...waitsAfter(event).step, until } },
      )
    })()
    return { kind: 'accepted' }
  }
}

describe('many changes', () => {
  const roll = async (spreadMs: number) => {
    const seed = createSeed()
    const names = Array.from({ length: 90 }, (_, index) => `d-${index}`)
    for (const name of names) put(seed, name, 0)
    let available = 0
    functionOf(seed, () => available === names.length)
    const { bridge } = await seed.bridge(ofWorkers)
    seed.put('Worker', 'w', waits)
    await seed.clock.advance(0)
    for (const name of names) {
      put(seed, name, 2)
      available++
      await seed.clock.advance(spreadMs / names.length)
    }
    const last = seed.clock.now()
    while (bridge.waiting().length > 0) await seed.clock.advance(10)
    return { events: seed.events.length, ms: seed.clock.now() - last }
  }

  test.each([0, 100, 1_000])('90 changes within %i ms make one or two events', async spreadMs => {
    const { events, ms } = await roll(spreadMs)
    expect(events).toBeLessThanOrEqual(2)
    expect(ms).toBeLessThan(1_000)
  })

  test('90 changes within a minute make one event every 5 s, and the last one is sent at once', async () => {
    const { events, ms } = await roll(60_000)
    expect(events).toBeGreaterThan(10)
    expect(events).toBeLessThanOrEqual(14)
    expect(ms).toBeLessThan(1_000)
  })

  test('the events for a flapping object are bounded', async () => {
    const { seed } = await seedThatWaits()
    functionOf(seed, () => false)
    for (let count = 0; count < 600; count++) {
      put(seed, 'a', count % 2 === 0 ? 2 : 1)
      put(seed, 'b', 2)
      await seed.clock.advance(100)
    }
    expect(seed.events.length).toBeGreaterThan(10)
    expect(seed.events.length).toBeLessThanOrEqual(18)
  })
})

describe('a bridge that does not lead', () => {
  test('it has no open work for changes that its leader has sent', async () => {
    const leadership = { leading: () => false, run: async () => undefined }
    const { seed, bridge } = await seedThatWaits({ leadership })
    put(seed, 'a', 2)
    await seed.clock.advance(200)
    const [row] = bridge.waiting()
    expect(row?.state).toBe('ready')
    seed.put('Worker', 'w', claims({ id: row?.id } as ExtensionEvent))
    await seed.clock.advance(0)
    seed.put('Worker', 'w', waitsAfter({ id: row?.id } as ExtensionEvent))
    await seed.clock.advance(10_000)
    expect(bridge.waiting()).toMatchObject([{ state: 'waiting', why: 'due later' }])
    expect(seed.events).toEqual([])
  })
})

describe('a seed that does not serve the awaited resources', () => {
  test('the bridge is ready, logs it once, and wakes its steps once the resource is served', async () => {
    const seed = createSeed()
    const { port } = seed.kubernetes
    const lines: string[] = []
    const note = (message: string, fields?: object) =>
      void lines.push(`${message} ${(fields as { plural?: string } | undefined)?.plural}`)
    let isServed = false
    const check = ({ plural }: { readonly plural: string }) => {
      if (plural === deployments.plural && !isServed)
        throw new KubernetesError(404, 'NotFound', 'page not found')
    }
    const { bridge } = await seed.bridge({
      ...ofWorkers,
      log: { debug: () => {}, info: note, warn: note, error: note },
      kubernetes: {
        ...port,
        list: async (resource, options) => {
          check(resource)
          return port.list(resource, options)
        },
      },
    })
    seed.put('Worker', 'w', waits)
    await seed.clock.advance(30_000)
    expect(bridge.ready()).toBe(true)
    expect(inWords(seed.events)).toEqual(['continue Worker w (due)'])
    seed.put('Worker', 'w', claims(seed.events[0]))
    await seed.clock.advance(61_000)
    expect(lines).toEqual(['awaited objects are not served; steps check on a timer machinedeployments'])
    isServed = true
    await seed.clock.advance(30_000)
    expect(bridge.awaited()).toEqual(new Map([['machinedeployments', 0]]))
    seed.put('Worker', 'w', waitsAfter({ id: 'again' } as ExtensionEvent))
    await seed.clock.advance(0)
    put(seed, 'a', 2)
    await seed.clock.advance(200)
    expect(inWords(seed.events).at(-1)).toBe('continue Worker w (changed)')
  })

  test('the bridge is ready and sends, even if it may not watch the resource', async () => {
    const seed = createSeed()
    const { port } = seed.kubernetes
    const { bridge } = await seed.bridge({
      ...ofWorkers,
      kubernetes: {
        ...port,
        list: async (resource, options) => {
          if (resource.plural === deployments.plural) throw new KubernetesError(403, 'Forbidden', 'no')
          return port.list(resource, options)
        },
      },
    })
    seed.put('Worker', 'w', waits)
    await seed.clock.advance(30_000)
    expect([bridge.ready(), inWords(seed.events)]).toEqual([true, ['continue Worker w (due)']])
  })
})

test('awaited resources are configurable: ManagedResources of a control plane', async () => {
  const managedResources = {
    ...{
      group: 'resources.gardener.cloud',
      version: 'v1alpha1',
      plural: 'managedresources',
      namespaced: true,
    },
  }
  const isComplete = ({ status }: KubernetesObject) => status !== undefined
  const seed = createSeed()
  await seed.bridge({
    selection: { kinds: ['ControlPlane'], classes: ['shoot'], namespaces: [] },
    awaitedBy: { ...awaitedBy, ControlPlane: [{ resource: managedResources, isComplete }] },
  })
  seed.put('ControlPlane', 'c', waits)
  await seed.clock.advance(0)
  const object = { apiVersion: 'resources.gardener.cloud/v1alpha1', kind: 'ManagedResource' }
  seed.kubernetes.put(managedResources, { ...object, metadata: { name: 'm', namespace } })
  await seed.clock.advance(1_000)
  expect(seed.events).toEqual([])
  const conditions = [{ type: 'ResourcesHealthy', status: 'True' }]
  seed.kubernetes.put(managedResources, {
    ...object,
    metadata: { name: 'm', namespace },
    status: { conditions },
  })
  await seed.clock.advance(200)
  expect(inWords(seed.events)).toEqual(['continue ControlPlane c (changed)'])
})

test('kinds that wait for the same ManagedResources share one watch, and each is woken', async () => {
  const seed = createSeed()
  await seed.bridge({
    selection: {
      kinds: ['ControlPlane', 'Network', 'ContainerRuntime', 'Extension'],
      classes: ['shoot'],
      namespaces: [],
    },
  })
  for (const kind of ['Network', 'ContainerRuntime', 'Extension'] as const) seed.put(kind, 'x', waits)
  await seed.clock.advance(0)
  const { resource } = awaitedBy.ControlPlane?.[0] ?? { resource: undefined }
  if (resource === undefined) throw new Error('a ControlPlane waits for nothing')
  const object = { apiVersion: 'resources.gardener.cloud/v1alpha1', kind: 'ManagedResource' }
  const metadata = { name: 'm', namespace, generation: 1 }
  seed.kubernetes.put(resource, { ...object, metadata })
  await seed.clock.advance(1_000)
  expect(seed.events).toEqual([])
  seed.kubernetes.remove(resource, { name: 'm', namespace })
  await seed.clock.advance(200)
  expect(inWords(seed.events).toSorted()).toEqual([
    'continue ContainerRuntime x (changed)',
    'continue Extension x (changed)',
    'continue Network x (changed)',
  ])
  const lists = seed.observed.filter(event => event.type === 'synced' && event.resource === resource.plural)
  expect(lists).toHaveLength(1)
})
