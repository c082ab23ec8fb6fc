import { describe, expect, test } from 'vitest'
import type { ExtensionEvent } from '../shared/events/events.ts'
import { claimed, succeeded, useSeeds } from './testing/test-seed.ts'

const createSeed = useSeeds()

/** A broker that answers only after the function has ended, and a slow function. */
const slowly = (
  seed: ReturnType<typeof createSeed>,
  steps: { claimMs: number; endMs: number; status?: number },
) => {
  seed.sink = async (event, signal) => {
    await seed.clock.sleep(steps.claimMs, signal)
    seed.put('DNSRecord', event.name, claimed(event))
    await seed.clock.sleep(steps.endMs, signal)
    seed.put('DNSRecord', event.name, { last: succeeded })
    return steps.status === undefined
      ? { kind: 'accepted' }
      : { kind: 'retry', status: steps.status, reason: `the sink answered ${steps.status}` }
  }
}

const ofType = (seed: ReturnType<typeof createSeed>, type: string) =>
  seed.observed.filter(event => event.type === type)

describe('a sink that answers when the function has ended', () => {
  test('the event is delivered as soon as the claim is seen: the slot is free, and the request continues alone', async () => {
    const seed = createSeed()
    slowly(seed, { claimMs: 300, endMs: 22_000 })
    const { bridge } = await seed.bridge({ concurrency: 1 })
    for (const name of ['a', 'b', 'c']) seed.put('DNSRecord', name, { operation: 'reconcile' })
    await seed.clock.advance(299)
    expect(seed.events).toHaveLength(1)
    await seed.clock.advance(700)
    expect(seed.events.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(bridge.counts().get('DNSRecord')).toMatchObject({ inFlight: 0, open: 3, queued: 0 })
    expect(ofType(seed, 'accepted')).toHaveLength(3)
    expect(ofType(seed, 'answered')).toHaveLength(0)
    await seed.clock.advance(22_000)
    expect(bridge.counts().get('DNSRecord')).toMatchObject({ open: 0 })
    expect(ofType(seed, 'answered')).toHaveLength(3)
    expect(ofType(seed, 'accepted')).toHaveLength(3)
    expect(bridge.waiting()).toEqual([])
  })

  test.each([500, 502, 503])(
    'a later %i changes nothing, because the object is more recent',
    async status => {
      const seed = createSeed()
      slowly(seed, { claimMs: 300, endMs: 22_000, status })
      const { bridge } = await seed.bridge()
      seed.put('DNSRecord', 'a', { operation: 'reconcile' })
      await seed.clock.advance(3_600_000)
      expect(seed.events).toHaveLength(1)
      expect(ofType(seed, 'retried')).toEqual([])
      expect(bridge.waiting()).toEqual([])
    },
  )

  test.each([8_000, 60_000, 89_000])(
    'the sink counts as neither down nor failed if the claim takes %i ms',
    async claimMs => {
      const seed = createSeed()
      slowly(seed, { claimMs, endMs: 22_000 })
      const { bridge } = await seed.bridge({ concurrency: 2 })
      for (let index = 0; index < 20; index++) seed.put('DNSRecord', `x${index}`, { operation: 'reconcile' })
      await seed.clock.advance(claimMs)
      // Each gives its slot to the next after 5 s, up to eight times the number of slots.
      expect(bridge.counts().get('DNSRecord')?.open).toBeGreaterThanOrEqual(1)
      await seed.clock.advance(600_000)
      expect(ofType(seed, 'retried')).toEqual([])
      expect(new Set(seed.events.map(({ name }) => name)).size).toBe(20)
      expect(seed.events).toHaveLength(20)
      expect(bridge.waiting()).toEqual([])
      expect(bridge.counts().get('DNSRecord')).toMatchObject({ open: 0, unclaimed: 0 })
    },
  )

  test('an event that is not claimed in time is sent again with the same id, and the first request continues', async () => {
    const seed = createSeed()
    let cut = 0
    seed.sink = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          cut++
          reject(signal.reason)
        })
      })
    const { stop } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(89_999)
    expect(seed.events).toHaveLength(1)
    await seed.clock.advance(1)
    expect(seed.events).toHaveLength(2)
    expect(new Set(seed.events.map(({ id }) => id)).size).toBe(1)
    expect(cut).toBe(0)
    await stop()
    expect(cut).toBe(2)
  })

  test('if the connection breaks before the claim, the event is sent again at once', async () => {
    const seed = createSeed()
    let breaks: () => void = () => undefined
    seed.sink = () =>
      new Promise(resolve => {
        breaks = () => resolve({ kind: 'retry', reason: 'socket hang up', code: 'ECONNRESET' })
      })
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(30_000)
    expect(seed.events).toHaveLength(1)
    seed.sink = () => ({ kind: 'accepted' })
    breaks()
    await seed.clock.advance(250)
    expect(seed.events).toHaveLength(2)
  })

  test('if connections always break after a while, retries slow down and the sink is reported as refusing events', async () => {
    const seed = createSeed()
    seed.sink = async (_, signal) => {
      await seed.clock.sleep(30_000, signal)
      return { kind: 'retry', reason: 'socket hang up', code: 'ECONNRESET' }
    }
    await seed.bridge()
    const at: number[] = []
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    for (let second = 0; second < 3_600; second++) {
      await seed.clock.advance(1_000)
      while (at.length < seed.events.length) at.push(second)
    }
    const gaps = at.map((second, index) => second - (at[index - 1] ?? second)).slice(1)
    expect(gaps.slice(0, 5).map(gap => gap - 30)).toEqual([0, 1, 4, 16, 60])
    expect(gaps.at(-1)).toBe(90)
    expect(ofType(seed, 'retried').length).toBeGreaterThanOrEqual(at.length - 1)
    // Any new request starts again with the first backoff.
    seed.put('DNSRecord', 'x', { operation: 'reconcile', timestamp: '2026-11-21T12:30:00.1Z' })
    const before = seed.events.length
    await seed.clock.advance(31_000)
    expect(seed.events.length - before).toBe(2)
  })

  test('if the connection of an earlier attempt breaks, the later attempt is not repeated', async () => {
    const seed = createSeed()
    const first = Promise.withResolvers<void>()
    seed.sink = async () => {
      if (seed.events.length > 1) return { kind: 'accepted' }
      await first.promise
      return { kind: 'retry', reason: 'socket hang up', code: 'ECONNRESET' }
    }
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(90_000)
    expect(seed.events).toHaveLength(2)
    first.resolve()
    await seed.clock.advance(179_999)
    expect(seed.events).toHaveLength(2)
    await seed.clock.advance(1)
    expect(seed.events).toHaveLength(3)
  })

  test('an accepted event ends the slowdown of broken connections', async () => {
    const seed = createSeed()
    const broken = { kind: 'retry', reason: 'socket hang up', code: 'ECONNRESET' } as const
    seed.sink = async (_, signal) => {
      await seed.clock.sleep(30_000, signal)
      return seed.events.length === 5 ? { kind: 'accepted' } : broken
    }
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    while (seed.events.length < 6) await seed.clock.advance(1_000)
    await seed.clock.advance(31_000)
    expect(seed.events).toHaveLength(7)
  })

  test('a late refusal does not park an object that has changed since', async () => {
    const seed = createSeed()
    const answer = Promise.withResolvers<void>()
    seed.sink = async () => {
      await answer.promise
      return { kind: 'rejected', status: 400, reason: 'the sink answered 400' }
    }
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(6_000)
    seed.put('DNSRecord', 'x', { operation: 'reconcile', labels: { changed: 'yes' } })
    await seed.clock.advance(0)
    answer.resolve()
    await seed.clock.advance(0)
    expect(ofType(seed, 'parked')).toEqual([])
    expect(bridge.waiting()).toMatchObject([{ state: 'waiting', lastError: 'the sink answered 400' }])
  })

  test('a sink that is busy when the bridge ends is not reported as away', async () => {
    const seed = createSeed()
    seed.sink = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const { stop } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(1_000)
    await stop()
    expect(ofType(seed, 'retried')).toEqual([])
  })

  test('a 500 for a function that does not claim is handled like a missing claim', async () => {
    const seed = createSeed()
    seed.sink = async (_, signal) => {
      await seed.clock.sleep(31_000, signal)
      return { kind: 'retry', status: 500, reason: 'the sink answered 500' }
    }
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(89_999)
    expect(seed.events).toHaveLength(1)
    expect(bridge.waiting()).toMatchObject([{ state: 'waiting', lastError: 'the sink answered 500' }])
    await seed.clock.advance(1)
    expect(seed.events).toHaveLength(2)
    expect(ofType(seed, 'retried')).toEqual([])
  })

  test('the first claim shows that the sink is back, and the rest of a closed subqueue is sent', async () => {
    const seed = createSeed()
    seed.sink = () => ({ kind: 'retry', reason: 'refused', code: 'ECONNREFUSED' })
    await seed.bridge()
    for (let index = 0; index < 20; index++) seed.put('DNSRecord', `x${index}`, { operation: 'reconcile' })
    await seed.clock.advance(60_000)
    seed.events.length = 0
    slowly(seed, { claimMs: 8_000, endMs: 22_000 })
    await seed.clock.advance(16_300)
    expect(new Set(seed.events.map(({ name }: ExtensionEvent) => name)).size).toBe(20)
  })
})

describe('an unclaimed object', () => {
  test('it is retried at growing intervals, 12 minutes at most, and shows in counts and rows; a new request starts again', async () => {
    const seed = createSeed()
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile', spec: { type: 'nobody' } })
    const at: number[] = []
    const start = seed.clock.now()
    await seed.clock.advance(0)
    for (let minute = 0; minute < 120; minute += 0.5) {
      while (at.length < seed.events.length) at.push((seed.clock.now() - start) / 1000)
      await seed.clock.advance(30_000)
    }
    expect(at.slice(0, 7)).toEqual([0, 90, 270, 630, 1350, 2070, 2790])
    expect(bridge.counts().get('DNSRecord')).toMatchObject({ unclaimed: 1, parked: 0 })
    expect(bridge.waiting()[0]?.why).toBe(`sent ${seed.events.length} times, not claimed`)
    expect(new Set(seed.events.map(({ id }) => id)).size).toBe(1)
    const announced = seed.observed.filter(event => event.type === 'unclaimed')
    expect(announced.map(event => event.times)).toEqual(
      Array.from({ length: seed.events.length - 1 }, (_, i) => i + 1),
    )

    const before = seed.events.length
    seed.put('DNSRecord', 'x', { operation: 'reconcile', timestamp: '2026-11-21T14:00:00Z' })
    await seed.clock.advance(90_000)
    expect(seed.events.length).toBe(before + 2)
    expect(bridge.counts().get('DNSRecord')).toMatchObject({ unclaimed: 1 })
  })
})
