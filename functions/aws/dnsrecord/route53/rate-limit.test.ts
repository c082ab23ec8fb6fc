import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { createRateLimiter, NotYetError } from './rate-limit.ts'

const { signal } = new AbortController()
const patienceMs = 2_000

/** A limiter and the times of its calls. Calls that must return do so on time. */
const setUp = ({ isKnown = true, random = (): number => 0 } = {}) => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter(isKnown ? 5 : undefined, clock, random)
  const starts: Record<string, number> = {}
  const waits: NotYetError[] = []
  const once = (key: string, { calls = 1, account = 'A' } = {}) =>
    limiter.acquire({ account, key, calls }, clock.now() + patienceMs, signal)
  const acquire = async (key: string, options = {}): Promise<void> => {
    for (;;) {
      try {
        await once(key, options)
        starts[key] = clock.now()
        return
      } catch (error) {
        if (!(error instanceof NotYetError)) throw error
        waits.push(error)
        await clock.sleep(error.afterMs)
      }
    }
  }
  const report = (isThrottled: boolean, started = clock.now()) =>
    limiter.report({ account: 'A', key: 'throttled', calls: 1 }, started, isThrottled)
  const many = async (count: number, options = {}) => {
    const all = Promise.all(Array.from({ length: count }, (_, index) => acquire(`r${index}`, options)))
    await clock.advance(1_000_000)
    await all
    return Object.values(starts)
  }
  return { clock, limiter, starts, waits, once, acquire, report, many }
}

test('the calls of one second are made at once, and the others at the rate, in their order', async () => {
  const { many } = setUp()
  expect(await many(9)).toEqual([0, 0, 0, 0, 0, 200, 400, 600, 800])
})

test('any number of calls is made at the rate, and none waits for more than 2 s inside a step', async () => {
  const { waits, many } = setUp()
  const starts = await many(1_000)
  for (const [index, start] of starts.entries()) expect(start).toBe(Math.max(0, (index + 1 - 5) * 200))
  expect(waits).toHaveLength(1_000 - 5 - 9)
})

test('a call that must wait says for how long, and why', async () => {
  const { many, waits } = setUp()
  await many(20)
  expect(waits.at(-1)?.message).toBe(
    'Waiting about 3 s for its turn at Route 53: 14 other calls are first, and this process makes 5 calls per second',
  )
})

test('the calls of a step are counted together', async () => {
  const { many } = setUp()
  expect(await many(4, { calls: 2 })).toEqual([0, 0, 200, 600])
})

test('a call that returns early retains its place', async () => {
  const { clock, once } = setUp()
  const failureOf = (key: string) => once(key).catch((error: NotYetError) => error)
  for (let index = 0; index < 5; index++) await once(`first${index}`)
  for (let index = 0; index < 30; index++) void failureOf(`before${index}`)
  const first = await failureOf('r0')
  expect(first?.afterMs).toBe(31 * 200)
  for (let index = 0; index < 30; index++) void failureOf(`behind${index}`)
  await clock.advance(1_000)
  expect((await failureOf('r0'))?.afterMs).toBe(31 * 200 - 1_000)
})

test('calls return up to a second early, so that those that can be one are there at its time', async () => {
  const { many, waits } = setUp({ random: () => 0.999 })
  const starts = await many(20)
  expect(waits[0]?.afterMs).toBeLessThanOrEqual(2_000 - 999)
  expect(starts.at(-1)).toBeGreaterThanOrEqual(3_000)
})

test('a call that waits starts a little late, so that a process at a regular pace does not exclude others', async () => {
  const { many } = setUp({ random: () => 0.5 })
  expect(await many(7)).toEqual([0, 0, 0, 0, 0, 250, 450])
})

test('a call that does not return for a minute loses its place', async () => {
  const { clock, starts, once, acquire } = setUp()
  const all = Promise.allSettled(Array.from({ length: 30 }, (_, index) => once(`r${index}`)))
  await clock.advance(5_000)
  await all
  await clock.advance(70_000)
  const others = Array.from({ length: 7 }, (_, index) => acquire(`other${index}`))
  const late = acquire('r29')
  await clock.advance(10_000)
  await Promise.all([...others, late])
  expect(starts.other6).toBeGreaterThan(75_000)
  expect(starts.r29).toBeGreaterThan(starts.other6 ?? 0)
})

test('an aborted wait frees its call', async () => {
  const { clock, limiter, starts, acquire } = setUp()
  for (let index = 0; index < 5; index++) await acquire(`r${index}`)
  const abort = new AbortController()
  const waits = limiter.acquire({ account: 'A', key: 'left', calls: 5 }, 10_000, abort.signal)
  abort.abort(new Error('over'))
  await expect(waits).rejects.toThrow('over')
  const next = acquire('next')
  await clock.advance(1_000)
  await next
  expect(starts.next).toBe(200)
})

test('accounts do not wait for each other', async () => {
  const { starts, acquire, many } = setUp()
  await Promise.all([many(20), acquire('B', { account: 'B' })])
  expect(starts.B).toBe(0)
})

test('a throttled call waits for its turn, before all others', async () => {
  const { clock, starts, acquire, report } = setUp()
  for (let index = 0; index < 5; index++) await acquire(`r${index}`)
  const later = acquire('later')
  report(true)
  const again = acquire('throttled')
  await clock.advance(10_000)
  await Promise.all([later, again])
  expect(starts.throttled).toBeGreaterThan(0)
  expect(starts.throttled).toBeLessThan(starts.later ?? 0)
})

test('throttling leaves nothing of the calls of the first second', async () => {
  const { clock, starts, acquire, report } = setUp()
  await acquire('r0')
  report(true)
  const next = acquire('r1')
  await clock.advance(10_000)
  await next
  expect(starts.r1).toBeGreaterThanOrEqual(200)
})

test('processes repeat a throttled call at different times', async () => {
  const times = []
  for (const random of [() => 0, () => 0.9]) {
    const { clock, starts, acquire, report } = setUp({ random })
    await acquire('throttled')
    report(true)
    const again = acquire('throttled')
    await clock.advance(10_000)
    await again
    times.push(starts.throttled ?? 0)
  }
  expect(Math.abs((times[0] ?? 0) - (times[1] ?? 0))).toBeGreaterThanOrEqual(200)
})

test('while AWS throttles, calls say so and return within 10 s, because the rate may recover', async () => {
  const { clock, waits, acquire, report } = setUp()
  for (let count = 0; count < 10; count++) {
    await clock.advance(1)
    report(true)
  }
  const calls = Array.from({ length: 50 }, (_, index) => acquire(`r${index}`))
  await clock.advance(0)
  expect(Math.max(...waits.map(({ afterMs }) => afterMs))).toBe(10_000)
  expect(waits[20]?.message).toMatch(/^Waiting about \d{2,} s .*, because AWS throttles the account$/)
  for (let count = 0; count < 60; count++) report(false)
  await clock.advance(30_000)
  await Promise.all(calls)
})

test('without a known limit, nothing waits until AWS throttles', async () => {
  const { clock, starts, once, report, many } = setUp({ isKnown: false })
  for (let index = 0; index < 100; index++) await once(`r${index}`)
  report(true)
  await expect(once('other', { calls: 10 })).rejects.toThrow(', because AWS throttles the account')
  await clock.advance(700_000)
  await many(3)
  expect(starts.r2).toBeLessThanOrEqual(700_000)
})
