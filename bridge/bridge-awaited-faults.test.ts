import { expect, test } from 'vitest'
import { KubernetesError } from '../shared/kubernetes/kubernetes.ts'
import { inWords, namespace } from './testing/test-seed.ts'
import { deployments, put, useWaitingWorkers, waits, workersAlone } from './testing/waiting-worker.ts'

const { createSeed, seedThatWaits } = useWaitingWorkers()
const ofWorkers = { selection: workersAlone }

test('a resumed watch finds a change that the API server has already dropped', async () => {
  const { seed } = await seedThatWaits()
  seed.kubernetes.breakWatches(new KubernetesError(410, 'Expired', 'too old'))
  put(seed, 'a', 2)
  put(seed, 'b', 2)
  seed.kubernetes.compact()
  await seed.clock.advance(2_000)
  expect(inWords(seed.events)).toEqual(['continue Worker w (changed)'])
})
test('a resumed watch finds a deletion that the API server has already dropped', async () => {
  const { seed } = await seedThatWaits()
  seed.kubernetes.breakWatches(new KubernetesError(410, 'Expired', 'too old'))
  seed.kubernetes.remove(deployments, { namespace, name: 'a' })
  seed.kubernetes.remove(deployments, { namespace, name: 'b' })
  seed.kubernetes.compact()
  await seed.clock.advance(2_000)
  expect(inWords(seed.events)).toEqual(['continue Worker w (changed)'])
})
test('a change while the API server is away wakes the step when the server is back', async () => {
  let down = false
  const seed = createSeed()
  const { port } = seed.kubernetes
  put(seed, 'a', 0)
  await seed.bridge({
    ...ofWorkers,
    kubernetes: {
      ...port,
      list: async (r, o) => {
        if (down) throw new KubernetesError(503, 'ServiceUnavailable', 'x')
        return port.list(r, o)
      },
      watch: (r, o) => {
        if (down) throw new KubernetesError(503, 'ServiceUnavailable', 'x')
        return port.watch(r, o)
      },
    },
  })
  seed.put('Worker', 'w', waits)
  await seed.clock.advance(0)
  down = true
  seed.kubernetes.breakWatches(new KubernetesError(503, 'ServiceUnavailable', 'x'))
  await seed.clock.advance(100)
  put(seed, 'a', 2)
  await seed.clock.advance(5_000)
  expect(seed.events).toEqual([])
  down = false
  await seed.clock.advance(11_000)
  expect(inWords(seed.events)).toEqual(['continue Worker w (changed)'])
})
test('the step of a failed shoot is not woken, and its time is retained', async () => {
  const { seed } = await seedThatWaits()
  seed.shoot('Failed')
  await seed.clock.advance(0)
  put(seed, 'a', 2)
  put(seed, 'b', 2)
  await seed.clock.advance(40_000)
  expect(seed.events).toEqual([])
  seed.shoot('Succeeded')
  await seed.clock.advance(1000)
  expect(inWords(seed.events)).toEqual(['continue Worker w (due)'])
})
test('a step continues early if its shoot recovers before its time', async () => {
  const { seed } = await seedThatWaits()
  seed.shoot('Failed')
  await seed.clock.advance(0)
  put(seed, 'a', 2)
  put(seed, 'b', 2)
  await seed.clock.advance(4_000)
  expect(seed.events).toEqual([])
  seed.shoot('Succeeded')
  await seed.clock.advance(1000)
  expect(inWords(seed.events)).toEqual(['continue Worker w (changed)'])
})
test('an object of another class is ignored', async () => {
  const { seed } = await seedThatWaits({ selection: { ...workersAlone, classes: ['garden'] } })
  put(seed, 'a', 2)
  await seed.clock.advance(60_000)
  expect(seed.events).toEqual([])
})
test('namespaces outside of the bridge are not watched', async () => {
  const { seed, bridge } = await seedThatWaits({ selection: { ...workersAlone, namespaces: ['other'] } })
  put(seed, 'a', 2)
  await seed.clock.advance(60_000)
  expect(seed.events).toEqual([])
  expect(bridge.awaited()).toEqual(new Map([['machinedeployments', 0]]))
})
test.each(['2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z'])(
  'a function with a clock that says %s is woken at the time of the bridge',
  async until => {
    const seed = createSeed()
    put(seed, 'a', 0)
    await seed.bridge(ofWorkers)
    seed.put('Worker', 'w', { ...waits, step: { ...waits.step, until } })
    await seed.clock.advance(1_000)
    put(seed, 'a', 2)
    await seed.clock.advance(200)
    expect(inWords(seed.events)).toEqual(['continue Worker w (changed)'])
    await seed.clock.advance(28_800)
    expect(seed.events).toHaveLength(2)
  },
)
test('heartbeats wake no step', async () => {
  const { seed } = await seedThatWaits()
  for (let i = 0; i < 100; i++) {
    put(seed, 'a', 0, {
      conditions: [
        {
          type: 'Available',
          status: 'False',
          lastUpdateTime: `${i}`,
          lastTransitionTime: `${i}`,
          message: `${i}`,
        },
      ],
    })
    await seed.clock.advance(100)
  }
  expect(seed.events).toEqual([])
})
test('of several objects in a namespace, only the waiting ones are woken', async () => {
  const { seed } = await seedThatWaits()
  seed.put('Worker', 'x', { ...waits, last: { state: 'Error' } })
  seed.put('Worker', 'y', {
    ...waits,
    step: { ...waits.step, operation: 'migrate' },
    last: { type: 'Migrate', state: 'Processing' },
  })
  await seed.clock.advance(0)
  put(seed, 'a', 2)
  put(seed, 'b', 2)
  await seed.clock.advance(300)
  expect(inWords(seed.events).sort()).toEqual(['continue Worker w (changed)', 'continue Worker y (changed)'])
})
test('an object that appears and disappears before the claim is one event', async () => {
  const { seed } = await seedThatWaits()
  put(seed, 'a', 2)
  put(seed, 'b', 2)
  await seed.clock.advance(200)
  put(seed, 'b', 1)
  await seed.clock.advance(1000)
  put(seed, 'b', 2)
  await seed.clock.advance(20_000)
  expect(seed.events).toHaveLength(1)
})
test('a change during the first step counts once the step waits', async () => {
  const seed = createSeed()
  put(seed, 'a', 0)
  await seed.bridge(ofWorkers)
  seed.put('Worker', 'w', {})
  await seed.clock.advance(0)
  const [created] = seed.events
  seed.put('Worker', 'w', {
    last: { state: 'Processing' },
    step: { until: '2026-11-21T12:01:15.000Z', durationMs: 75_000, event: created?.id ?? '' },
  })
  await seed.clock.advance(10)
  put(seed, 'a', 2)
  await seed.clock.advance(10)
  seed.put('Worker', 'w', { ...waits, step: { ...waits.step, event: created?.id ?? '' } })
  await seed.clock.advance(1000)
  expect(inWords(seed.events).at(-1)).toBe('continue Worker w (changed)')
})
test('a change between an event and its claim is sent, even if the claim was not seen', async () => {
  const { seed } = await seedThatWaits()
  put(seed, 'a', 2)
  await seed.clock.advance(200)
  const [e] = seed.events
  // the function claims and ends, and the bridge sees only the end; b changes after the function has read it.
  put(seed, 'b', 2)
  await seed.clock.advance(1)
  seed.put('Worker', 'w', {
    ...waits,
    step: { ...waits.step, until: '2026-11-21T12:00:50.000Z', event: e?.id ?? '' },
  })
  await seed.clock.advance(6_000)
  expect(inWords(seed.events)).toEqual(['continue Worker w (changed)', 'continue Worker w (changed)'])
})
