import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type VirtualClock, virtualClock } from '../../../../shared/clock/clock.ts'
import { createRateLimiter, NotYetError, type RateLimiter, type ReservationRequest } from './rate-limit.ts'

const { signal } = new AbortController()

const setUp = (random = () => 0) => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter({ qps: 1, burst: 5, waitTimeoutMs: 2_000, random }, clock)
  /** The times of the turns, and the delays of the calls that must return. */
  const log: (number | string)[] = []
  let keys = 0
  const take = async (request: Partial<ReservationRequest> = {}, abort = signal) => {
    try {
      const reservation = await limiter.acquire(
        { identity: 'AKIA1', key: `k${++keys}`, calls: 1, ...request },
        abort,
      )
      log.push(clock.now())
      return reservation
    } catch (error) {
      if (!(error instanceof NotYetError)) throw error
      log.push(`in ${error.afterMs}`)
      return undefined
    }
  }
  return { clock, limiter, log, take }
}

test('a burst passes at once, two calls wait for their turn, and each later one gets a separate time', async () => {
  const { clock, log, take } = setUp()
  const all = Promise.all(Array.from({ length: 10 }, () => take()))
  await clock.advance(0)
  expect(log).toEqual([0, 0, 0, 0, 0, 'in 3000', 'in 4000', 'in 5000'])
  await clock.advance(2_000)
  await all
  expect(log.slice(8)).toEqual([1_000, 2_000])
})

test('a call that returns at its time gets its turn at once', async () => {
  const { clock, log, take } = setUp()
  await take({ calls: 5 })
  await take({ key: 'a', calls: 3 })
  await take({ key: 'b', calls: 3 })
  await clock.advance(3_000)
  await take({ key: 'a', calls: 3 })
  await clock.advance(3_000)
  await take({ key: 'b', calls: 3 })
  expect(log).toEqual([0, 'in 3000', 'in 6000', 3_000, 6_000])
})

test('a call that returns early gets the same time again, each time', async () => {
  const { clock, log, take } = setUp()
  await take({ calls: 5 })
  for (let i = 0; i < 3; i++) {
    await take({ key: 'a', calls: 5 })
    await clock.advance(1_000)
  }
  expect(log).toEqual([0, 'in 5000', 'in 4000', 'in 3000'])
})

test('a late call retains its place for a minute, and the others do not wait for it', async () => {
  const { clock, log, take } = setUp()
  await take({ calls: 5 })
  await take({ key: 'late', calls: 3 })
  await take({ key: 'b', calls: 3 })
  await clock.advance(6_000)
  await take({ key: 'b', calls: 3 })
  const late = take({ key: 'late', calls: 3 })
  await clock.advance(1_000)
  await late
  expect(log).toEqual([0, 'in 3000', 'in 6000', 6_000, 7_000])
})

test('the place of a call that never returns is released after a minute', async () => {
  const { clock, log, take } = setUp()
  await take({ calls: 5 })
  await take({ key: 'gone', calls: 5 })
  await clock.advance(65_001)
  await take({ calls: 5 })
  await take({ calls: 5 })
  expect(log).toEqual([0, 'in 5000', 65_001, 'in 5000'])
})

test('a call that has waited elsewhere is served before calls with a later time', async () => {
  const { clock, log, take } = setUp()
  await take({ calls: 5 })
  for (let i = 0; i < 10; i++) await take({ calls: 5 })
  const waited = take({ calls: 2, waited: true })
  await clock.advance(2_000)
  await waited
  expect(log.at(-1)).toBe(2_000)
})

test('a call that needs more than planned gets a place for the larger number', async () => {
  const { clock, log, take } = setUp()
  await take({ calls: 5 })
  const sleeper = take({ calls: 2 })
  await take({ key: 'a', calls: 1, callsLater: 2, waited: true })
  await clock.advance(4_000)
  await sleeper
  await take({ key: 'a', calls: 1 })
  const next = take({ calls: 1 })
  await clock.advance(1_000)
  await next
  expect(log).toEqual([0, 'in 4000', 2_000, 4_000, 5_000])
})

test('times have a random offset', async () => {
  const { log, take } = setUp(() => 0.5)
  await take({ calls: 5 })
  await take({ calls: 5 })
  expect(log).toEqual([0, 'in 5500'])
})

test('throttled calls return when allowed, one after the other, and before calls with a later time', async () => {
  const { clock, limiter, log, take } = setUp()
  const postpone = (key: string) => limiter.postpone({ identity: 'AKIA1', key, calls: 5 }, 8_000)
  await take({ calls: 5 })
  for (let i = 0; i < 10; i++) await take({ calls: 5 })
  expect([postpone('a'), postpone('b'), postpone('c')]).toEqual([8_000, 13_000, 18_000])
  await clock.advance(8_000)
  await take({ key: 'a', calls: 5 })
  expect(log.at(-1)).toBe(8_000)
})

test('released calls are available at once', async () => {
  const { log, take } = setUp()
  for (let i = 0; i < 5; i++) {
    const reservation = await take({ calls: 2 })
    reservation?.release(2)
  }
  expect(log).toEqual([0, 0, 0, 0, 0])
})

test('a pause refills up to the burst and no further', async () => {
  const { clock, log, take } = setUp()
  await take({ calls: 5 })
  await clock.advance(600_000)
  await take({ calls: 5 })
  await take({ calls: 3 })
  expect(log).toEqual([0, 600_000, 'in 3000'])
})

test('each identity has separate limits', async () => {
  const { log, take } = setUp()
  await take({ calls: 5, identity: 'AKIA1' })
  await take({ calls: 5, identity: 'arn:aws:iam::1:role/dns' })
  expect(log).toEqual([0, 0])
})

test('a call aborted while waiting releases its turn', async () => {
  const { clock, log, take } = setUp()
  await take({ calls: 5 })
  const abort = new AbortController()
  const waiting = take({ calls: 2 }, abort.signal)
  abort.abort(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
  const next = take({ calls: 2 })
  await clock.advance(2_000)
  await next
  expect(log).toEqual([0, 2_000])
  expect(clock.pending()).toEqual([])
})

test.each([
  [3_600_000, 'in 46400000'],
  [3_600_001, 3_600_001],
])('a bucket is dropped an hour after its last use: after %i ms %j', async (ms, expected) => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter({ qps: 0.000_1, burst: 5, waitTimeoutMs: 0, random: () => 0 }, clock)
  const take = (key: string) =>
    limiter.acquire({ identity: 'AKIA1', key, calls: 5 }, signal).then(
      () => clock.now(),
      ({ afterMs }: NotYetError) => `in ${afterMs}`,
    )
  await take('a')
  await clock.advance(ms)
  expect(await take('b')).toBe(expected)
})

/** Returns when requested, slightly late, until it gets its turn. */
const worker = async (
  clock: VirtualClock,
  limiter: RateLimiter,
  key: string,
  calls: number,
  lateMs: number,
) => {
  for (let reads = 1; ; reads++) {
    try {
      await limiter.acquire({ identity: 'AKIA1', key, calls, waited: reads > 1 }, signal)
      return { at: clock.now(), calls, reads }
    } catch (error) {
      if (!(error instanceof NotYetError)) throw error
      await clock.sleep(error.afterMs + lateMs)
    }
  }
}

test('any number of calls, however late, never exceeds the rate and is hardly slower than it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          startMs: fc.nat(10_000),
          calls: fc.integer({ min: 1, max: 2 }),
          lateMs: fc.nat(1_500),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      async (workers, chance) => {
        const clock = virtualClock(0)
        const limiter = createRateLimiter(
          { qps: 1, burst: 5, waitTimeoutMs: 2_000, random: () => chance.next().value ?? 0 },
          clock,
        )
        const all = Promise.all(
          workers.map(async ({ startMs, calls, lateMs }, index) => {
            await clock.sleep(startMs)
            return worker(clock, limiter, `k${index}`, calls, lateMs)
          }),
        )
        await clock.advance(1_000_000)
        const reservations = (await all).sort((a, b) => a.at - b.at)
        // In any period at most the burst and one call per second.
        for (const [from, first] of reservations.entries()) {
          let calls = 0
          for (const reservation of reservations.slice(from)) {
            calls += reservation.calls
            expect(calls).toBeLessThanOrEqual(5 + (reservation.at - first.at) / 1_000 + 1e-6)
          }
        }
        const total = reservations.reduce((sum, { calls }) => sum + calls, 0)
        const allowedMs = Math.max(total - 5, 0) * 1_000
        expect(reservations.at(-1)?.at).toBeLessThanOrEqual(10_000 + allowedMs * 1.2 + 5_000)
        const reads = reservations.reduce((sum, reservation) => sum + reservation.reads, 0)
        expect(reads).toBeLessThanOrEqual(3 * reservations.length)
      },
    ),
    { numRuns: 30 },
  )
})
