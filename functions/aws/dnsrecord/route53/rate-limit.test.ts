import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { createRateLimiter, NotYetError, type Reservation } from './rate-limit.ts'

const { signal } = new AbortController()

/** A limiter with records, and the times of its turns. Calls that must return do so on time. */
const setUp = (random: () => number = () => 0.5) => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter({ mostPerSecond: 5, random }, clock)
  const turns: number[] = []
  const delays: number[] = []
  const acquire = async (key: string, patienceMs = 2_000): Promise<Reservation> => {
    for (let waited = false; ; waited = true) {
      try {
        const turn = await limiter.acquire({ account: 'A', key, waited, patienceMs }, signal)
        turns.push(clock.now())
        return turn
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
        const turn = await acquire(key)
        turn.answered()
        end()
      }),
    )
    await clock.advance(1_000_000)
    await done
  }
  return { clock, limiter, turns, delays, acquire, records, all }
}

test('few records are served at once', async () => {
  const { turns, all } = setUp()
  await all(3)
  expect(turns).toEqual([0, 0, 0])
})

test('the calls of many records are spread evenly, from a random time on', async () => {
  const { turns, all } = setUp()
  await all(20)
  const gaps = turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0))
  expect(turns[0]).toBeGreaterThan(0)
  expect(turns[0]).toBeLessThan(87_000 / 20)
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(0.85 * (87_000 / 20))
  expect(turns.at(-1)).toBeLessThanOrEqual(95_000)
})

test('any number of records never exceeds the limit of the account', async () => {
  const { turns, all } = setUp()
  await all(1_000)
  for (const [index, turn] of turns.entries())
    expect((turns[index + 5] ?? Number.POSITIVE_INFINITY) - turn).toBeGreaterThanOrEqual(990)
  expect(turns.at(-1)).toBeLessThanOrEqual(1.05 * 200_000)
})

test('without a known limit, nothing waits until AWS throttles', async () => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter({}, clock)
  for (let index = 0; index < 100; index++) {
    limiter.register('A', `r${index}`, 2)
    await limiter.acquire({ account: 'A', key: `r${index}`, patienceMs: 0 }, signal)
  }
  expect(limiter.isPaced('A')).toBe(false)
  const turn = await limiter.acquire({ account: 'A', key: 'r0', patienceMs: 0 }, signal)
  turn.throttled()
  expect(limiter.isPaced('A')).toBe(true)
  await expect(limiter.acquire({ account: 'A', key: 'r1', patienceMs: 0 }, signal)).rejects.toMatchObject({
    name: 'NotYetError',
    isThrottled: true,
  })
})

test('a throttled call moves to another time, and repeated throttling makes the process slower', async () => {
  const { clock, turns, acquire, records } = setUp()
  records(1, 10)
  const call = (async () => {
    for (let count = 0; count < 8; count++) (await acquire('r0', 60_000)).throttled()
  })()
  await clock.advance(300_000)
  await call
  const gaps = turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0))
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

test('an aborted wait frees its turn', async () => {
  const { clock, limiter, turns, acquire, records } = setUp(() => 0)
  records(20)
  await acquire('r0')
  const abort = new AbortController()
  const waits = limiter.acquire({ account: 'A', key: 'r1', patienceMs: 60_000 }, abort.signal)
  abort.abort(new Error('over'))
  await expect(waits).rejects.toThrow('over')
  const next = acquire('r2', 60_000)
  await clock.advance(10_000)
  await next
  expect(turns.at(-1)).toBeLessThanOrEqual(4_400)
})

test('accounts do not wait for each other', async () => {
  const { limiter, acquire, records } = setUp()
  records(20)
  void acquire('r0').catch(() => undefined)
  limiter.register('B', 'r0', 1)
  await limiter.acquire({ account: 'B', key: 'r0', patienceMs: 0 }, signal)
})
