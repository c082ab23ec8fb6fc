import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { createRateLimiter, NotYetError, type Reservation } from './rate-limit.ts'

const { signal } = new AbortController()

/** A limiter with records, and the times of its starts. Calls that must return do so on time. */
const setUp = (random: () => number = () => 0.5) => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter({ mostPerSecond: 5, random }, clock)
  const starts: number[] = []
  const delays: number[] = []
  const acquire = async (key: string, patienceMs = 2_000): Promise<Reservation> => {
    for (let waited = false; ; waited = true) {
      try {
        const start = await limiter.acquire({ account: 'A', key, waited, patienceMs }, signal)
        starts.push(clock.now())
        return start
      } catch (error) {
        if (!(error instanceof NotYetError)) throw error
        delays.push(error.afterMs)
        await clock.sleep(error.afterMs)
      }
    }
  }
  const records = (count: number, calls = 1) =>
    Array.from({ length: count }, (_, index) => ({
      key: `r${index}`,
      end: limiter.register('A', `r${index}`, calls).end,
    }))
  const all = async (count: number) => {
    const done = Promise.all(
      records(count).map(async ({ key, end }) => {
        const start = await acquire(key)
        start.answered()
        end()
      }),
    )
    await clock.advance(1_000_000)
    await done
  }
  return { clock, limiter, starts, delays, acquire, records, all }
}

test('few records are served at once', async () => {
  const { starts, all } = setUp()
  await all(3)
  expect(starts).toEqual([0, 0, 0])
})

test('the calls of many records are spread evenly, from a random time on', async () => {
  const { starts, all } = setUp()
  await all(20)
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
  expect(starts[0]).toBeGreaterThan(0)
  expect(starts[0]).toBeLessThan(87_000 / 20)
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(0.85 * (87_000 / 20))
  expect(starts.at(-1)).toBeLessThanOrEqual(95_000)
})

test('any number of records never exceeds the limit of the account', async () => {
  const { starts, all } = setUp()
  await all(1_000)
  for (const [index, start] of starts.entries())
    expect((starts[index + 5] ?? Number.POSITIVE_INFINITY) - start).toBeGreaterThanOrEqual(990)
  expect(starts.at(-1)).toBeLessThanOrEqual(1.05 * 200_000)
})

test('without a known limit, nothing waits until AWS throttles', async () => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter({}, clock)
  for (let index = 0; index < 100; index++) {
    limiter.register('A', `r${index}`, 2)
    await limiter.acquire({ account: 'A', key: `r${index}`, patienceMs: 0 }, signal)
  }
  expect(limiter.isPaced('A')).toBe(false)
  const start = await limiter.acquire({ account: 'A', key: 'r0', patienceMs: 0 }, signal)
  start.throttled()
  expect(limiter.isPaced('A')).toBe(true)
  await expect(limiter.acquire({ account: 'A', key: 'r1', patienceMs: 0 }, signal)).rejects.toMatchObject({
    name: 'NotYetError',
    isThrottled: true,
  })
})

test('a throttled call moves to another time, and repeated throttling makes the process slower', async () => {
  const { clock, starts, acquire, records } = setUp()
  records(1, 10)
  const call = (async () => {
    for (let count = 0; count < 8; count++) (await acquire('r0', 60_000)).throttled()
  })()
  await clock.advance(300_000)
  await call
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
  expect(gaps[0]).toBeLessThanOrEqual(1_000)
  expect(gaps.at(-1)).toBeGreaterThanOrEqual(4_000)
})

test('a call that returns early gets the same time again', async () => {
  const { clock, limiter } = setUp(() => 0)
  for (let index = 0; index < 20; index++) limiter.register('A', `r${index}`, 1)
  const timeOf = async (key: string) => {
    const error = await limiter.acquire({ account: 'A', key, patienceMs: 0 }, signal).catch(thrown => thrown)
    return clock.now() + (error.afterMs ?? 0)
  }
  await limiter.acquire({ account: 'A', key: 'r0', patienceMs: 0 }, signal)
  const first = await timeOf('r1')
  await clock.advance(1_000)
  expect(Math.abs((await timeOf('r1')) - first)).toBeLessThanOrEqual(1)
})

test('an aborted wait frees its start', async () => {
  const { clock, limiter, starts, acquire, records } = setUp(() => 0)
  records(20)
  await acquire('r0')
  const abort = new AbortController()
  const waits = limiter.acquire({ account: 'A', key: 'r1', patienceMs: 60_000 }, abort.signal)
  abort.abort(new Error('over'))
  await expect(waits).rejects.toThrow('over')
  const next = acquire('r2', 60_000)
  await clock.advance(10_000)
  await next
  expect(starts.at(-1)).toBeLessThanOrEqual(4_400)
})

test('accounts do not wait for each other', async () => {
  const { limiter, acquire, records } = setUp()
  records(20)
  void acquire('r0').catch(() => undefined)
  limiter.register('B', 'r0', 1)
  await limiter.acquire({ account: 'B', key: 'r0', patienceMs: 0 }, signal)
})
