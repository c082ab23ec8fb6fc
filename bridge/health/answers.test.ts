import { describe, expect, test } from 'vitest'
import { monitoredKinds } from '../../shared/contract/health.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { inWords, namespace, useSeeds } from '../testing/test-seed.ts'
import { deployment, healthyIn, put, reasons, roundAt, selection, start } from './testing/monitored-seed.ts'

const silence = 'no function answers health checks of ControlPlanes of type acme'
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
    await seed.clock.advance((roundAt - 20 + 150) * 1_000)
    expect(bridge.healthProblem(['acme'])).toBeUndefined()
    await seed.clock.advance(1_000)
    expect(bridge.healthProblem(['acme'])).toBe(silence)
  })

  test('if it is slow, others are not delayed', async () => {
    const seed = createSeed()
    for (let index = 0; index < 40; index++) put(seed, { written: 0, metadata: { name: `c${index}` } })
    seed.sink = () => new Promise(() => {})
    await seed.bridge({ selection, monitored: monitoredKinds })
    await seed.clock.advance(15_000)
    expect(seed.events).toHaveLength(40)
  })
})

describe('the check for answers', () => {
  test('one object proves in each round that its function answers', async () => {
    const { seed, bridge } = await healthy()
    put(seed, { written: 10, metadata: { name: 'other' } })
    await seed.clock.advance(1_000)
    seed.events.splice(0)
    await seed.clock.advance((roundAt - 21) * 1_000)
    expect(inWords(seed.events)).toEqual(['healthcheck ControlPlane c (refresh)'])
    await seed.clock.advance(3_020)
    expect(inWords(seed.events).slice(1)).toEqual(['healthcheck ControlPlane other (round)'])
    await seed.clock.advance(146_980)
    expect(bridge.healthProblem(['acme'])).toBeUndefined()
    await seed.clock.advance(1)
    expect(bridge.healthProblem(['acme'])).toBe(silence)
    expect(bridge.healthProblem(['another'])).toBeUndefined()
    put(seed, { written: roundAt + 151 })
    await seed.clock.advance(0)
    expect(bridge.healthProblem(['acme'])).toBeUndefined()
  })

  test('a rewritten condition of any object of the kind and provider counts as an answer', async () => {
    const { seed, bridge } = await healthy()
    put(seed, { written: 10, metadata: { name: 'other' } })
    await seed.clock.advance((roundAt - 20 + 151) * 1_000)
    expect(bridge.healthProblem(['acme'])).toBe(silence)
    put(seed, { written: roundAt + 151, metadata: { name: 'other' } })
    await seed.clock.advance(0)
    expect(bridge.healthProblem(['acme'])).toBeUndefined()
  })

  test('an object without an answer is followed by others, so it does not stop the heartbeat alone', async () => {
    const seed = createSeed()
    for (const name of ['broken', 'a', 'b']) put(seed, { written: 0, metadata: { name } })
    const { bridge } = await seed.bridge({ selection, monitored: monitoredKinds })
    await seed.clock.advance(20_000)
    seed.events.splice(0)
    seed.sink = event => {
      const written = (seed.clock.now() - start) / 1_000
      if (event.name !== 'broken' && event.reason !== 'round')
        put(seed, { written, metadata: { name: event.name } })
      return { kind: 'accepted' }
    }
    await seed.clock.advance((roundAt - 20) * 1_000)
    expect(inWords(seed.events)).toEqual(['healthcheck ControlPlane broken (refresh)'])
    await seed.clock.advance(31_000)
    expect(inWords(seed.events).slice(3)).toEqual([
      'healthcheck ControlPlane broken (refresh)',
      'healthcheck ControlPlane a (refresh)',
    ])
    for (let minute = 0; minute < 120; minute++) {
      await seed.clock.advance(60_000)
      expect(bridge.healthProblem(['acme'])).toBeUndefined()
    }
  })

  test('a process of an object without an answer wakes only in rounds after a while', async () => {
    const { seed } = await healthy()
    await seed.clock.advance(3 * 3_600_000)
    seed.events.splice(0)
    await seed.clock.advance(3_600_000)
    expect(reasons(seed)).toEqual(['refresh', 'refresh', 'refresh'])
  })

  test('a function of many objects that does not answer gets few checks', async () => {
    const seed = createSeed()
    for (let index = 0; index < 100; index++) put(seed, { written: -900, metadata: { name: `c${index}` } })
    const { bridge } = await seed.bridge({ selection, monitored: monitoredKinds })
    await seed.clock.advance(3 * 3_600_000)
    expect(bridge.healthProblem(['acme'])).toBe(silence)
    expect(seed.events.filter(({ reason }) => reason !== 'round').length).toBeLessThan(400)
  })

  test('a clock that is set back does not postpone the end of a heartbeat', async () => {
    const { seed, bridge } = await healthy()
    await seed.clock.advance((roundAt - 20 + 100) * 1_000)
    const now = seed.clock.now
    Object.assign(seed.clock, { now: () => now() - 3_600_000 })
    for (let second = 0; second < 180; second += 30) {
      bridge.healthProblem(['acme'])
      await seed.clock.advance(30_000)
    }
    expect(bridge.healthProblem(['acme'])).toBe(silence)
  })

  test('it does not depend on a deleted object', async () => {
    const { seed, bridge } = await healthy()
    await seed.clock.advance((roundAt + 151) * 1_000)
    expect(bridge.healthProblem(['acme'])).toBe(silence)
    seed.kubernetes.remove(kinds.ControlPlane.resource, { name: 'c', namespace })
    await seed.clock.advance(0)
    expect(bridge.healthProblem(['acme'])).toBeUndefined()
  })

  test('it does not depend on a recreated object', async () => {
    const { seed, bridge } = await healthy()
    await seed.clock.advance((roundAt + 151) * 1_000)
    expect(bridge.healthProblem(['acme'])).toBe(silence)
    put(seed, { written: roundAt + 160, metadata: { uid: 'another' } })
    await seed.clock.advance(0)
    expect(bridge.healthProblem(['acme'])).toBeUndefined()
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
    await seed.clock.advance((roundAt + 151) * 1_000)
    expect(bridge.healthProblem(['acme'])).toBe(silence)
    isLeading = false
    changeLeader(false)
    await seed.clock.advance(600_000)
    isLeading = true
    changeLeader(true)
    await seed.clock.advance(1_000)
    expect(bridge.healthProblem(['acme'])).toBeUndefined()
  })
})
