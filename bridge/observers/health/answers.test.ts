import { describe, expect, test } from 'vitest'
import { monitoredKinds } from '../../../shared/contract/health.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { namespace, useSeeds } from '../../testing/test-seed.ts'
import { deployment, healthyIn, put, reasons, selection } from './testing/monitored-seed.ts'

const createSeed = useSeeds()
const healthy = () => healthyIn(createSeed())

describe('a sink', () => {
  test('if it does not accept a check, the check is ordered again until it does', async () => {
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

  test('if it refuses a check, the next one is ordered a minute later', async () => {
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

  test('if it is away for long, the conditions count as unanswered', async () => {
    const { seed, bridge } = await healthy()
    seed.sink = () => ({ kind: 'retry', reason: 'down' })
    await seed.clock.advance(220_000 + 150_000)
    expect(bridge.healthAnswered(['test'])).toBe(true)
    await seed.clock.advance(1_000)
    expect(bridge.healthAnswered(['test'])).toBe(false)
  })

  test('if it is slow, others are not delayed', async () => {
    const seed = createSeed()
    for (let index = 0; index < 40; index++) put(seed, { written: 0, metadata: { name: `c${index}` } })
    seed.sink = () => new Promise(() => {})
    await seed.bridge({ selection, monitored: monitoredKinds, random: () => 0 })
    await seed.clock.advance(5_000)
    expect(seed.events).toHaveLength(40)
  })
})

describe('the check for answers', () => {
  test('a rewritten condition of any object of the kind and provider counts as an answer', async () => {
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

  test('it does not depend on a deleted object', async () => {
    const { seed, bridge } = await healthy()
    await seed.clock.advance(600_000)
    expect(bridge.healthAnswered(['test'])).toBe(false)
    seed.kubernetes.remove(kinds.ControlPlane.resource, { name: 'c', namespace })
    await seed.clock.advance(0)
    expect(bridge.healthAnswered(['test'])).toBe(true)
  })

  test('it does not depend on a recreated object', async () => {
    const { seed, bridge } = await healthy()
    await seed.clock.advance(600_000)
    expect(bridge.healthAnswered(['test'])).toBe(false)
    put(seed, { written: 620, metadata: { uid: 'another' } })
    await seed.clock.advance(0)
    expect(bridge.healthAnswered(['test'])).toBe(true)
  })

  test('it ignores a deleted object while another object is not checked', async () => {
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

  test('it ignores an object that did not answer before other objects did', async () => {
    const { seed, bridge } = await healthy()
    put(seed, { metadata: { name: 'broken' } })
    await seed.clock.advance(100_000)
    put(seed, { written: 120 })
    for (let second = 0; second < 230; second += 10) {
      await seed.clock.advance(10_000)
      expect(bridge.healthAnswered(['test'])).toBe(true)
    }
  })

  test('it ignores checks that this bridge ordered in an earlier leadership', async () => {
    const seed = createSeed()
    put(seed, { written: 0 })
    let isLeading = true
    let changeLeader: (leading: boolean) => void = () => {}
    const { bridge } = await seed.bridge({
      selection,
      monitored: monitoredKinds,
      random: () => 0,
      leadership: {
        leading: () => isLeading,
        run: (signal, changed) => {
          changeLeader = changed
          changeLeader(true)
          return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
        },
      },
    })
    await seed.clock.advance(400_000)
    expect(bridge.healthAnswered(['test'])).toBe(false)
    isLeading = false
    changeLeader(false)
    await seed.clock.advance(600_000)
    isLeading = true
    changeLeader(true)
    await seed.clock.advance(1_000)
    expect(bridge.healthAnswered(['test'])).toBe(true)
  })

  test('without answers for long, checks are ordered less and less often', async () => {
    const { seed } = await healthy()
    await seed.clock.advance(4 * 3_600_000)
    expect(seed.events.length).toBeLessThan(40)
    expect(seed.events.length).toBeGreaterThan(20)
  })
})
