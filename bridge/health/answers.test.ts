import { describe, expect, test } from 'vitest'
import { monitoredKinds } from '../../shared/contract/health.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { namespace, useSeeds } from '../testing/test-seed.ts'
import { deployment, healthyIn, put, reasons, selection } from './testing/monitored-seed.ts'

const createSeed = useSeeds()
const healthy = () => healthyIn(createSeed())

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
    expect(bridge.healthAnswered(['test'])).toBe(true)
    await seed.clock.advance(1_000)
    expect(bridge.healthAnswered(['test'])).toBe(false)
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
    expect(bridge.healthAnswered(['test'])).toBe(true)
    await seed.clock.advance(150_000)
    expect(bridge.healthAnswered(['test'])).toBe(false)
    expect(bridge.healthAnswered(['another'])).toBe(true)
    put(seed, { written: 410, metadata: { name: 'other' } })
    await seed.clock.advance(0)
    expect(bridge.healthAnswered(['test'])).toBe(true)
  })

  test('does not depend on an object that is gone', async () => {
    const { seed, bridge } = await healthy()
    await seed.clock.advance(600_000)
    expect(bridge.healthAnswered(['test'])).toBe(false)
    seed.kubernetes.remove(kinds.ControlPlane.resource, { name: 'c', namespace })
    await seed.clock.advance(0)
    expect(bridge.healthAnswered(['test'])).toBe(true)
  })

  test('does not depend on an object that was made anew', async () => {
    const { seed, bridge } = await healthy()
    await seed.clock.advance(600_000)
    expect(bridge.healthAnswered(['test'])).toBe(false)
    put(seed, { written: 620, metadata: { uid: 'another' } })
    await seed.clock.advance(0)
    expect(bridge.healthAnswered(['test'])).toBe(true)
  })

  test('does not depend on an object that is gone while another one is not asked', async () => {
    const { seed, bridge } = await healthy()
    put(seed, { written: 0, metadata: { name: 'broken' }, status: 'False' })
    await seed.clock.advance(200_000)
    put(seed, { written: 200 })
    await seed.clock.advance(100)
    expect(bridge.healthAnswered(['test'])).toBe(true)
    put(seed, { metadata: { name: 'another' } })
    await seed.clock.advance(140_000)
    seed.kubernetes.remove(kinds.ControlPlane.resource, { name: 'another', namespace })
    await seed.clock.advance(60_000)
    expect(bridge.healthAnswered(['test'])).toBe(true)
  })

  test('does not depend on an object that was asked in vain before others answered', async () => {
    const { seed, bridge } = await healthy()
    put(seed, { metadata: { name: 'broken' } })
    await seed.clock.advance(100_000)
    put(seed, { written: 120 })
    for (let second = 0; second < 230; second += 10) {
      await seed.clock.advance(10_000)
      expect(bridge.healthAnswered(['test'])).toBe(true)
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
    expect(bridge.healthAnswered(['test'])).toBe(false)
    isLeading = false
    tell(false)
    await seed.clock.advance(600_000)
    isLeading = true
    tell(true)
    await seed.clock.advance(1_000)
    expect(bridge.healthAnswered(['test'])).toBe(true)
  })

  test('by nobody for long, they are ordered less and less often', async () => {
    const { seed } = await healthy()
    await seed.clock.advance(4 * 3_600_000)
    expect(seed.events.length).toBeLessThan(40)
    expect(seed.events.length).toBeGreaterThan(20)
  })
})
