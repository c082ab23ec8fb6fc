import { expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/virtual-clock.ts'
import { createRateLimiter, RateLimitError } from './rate-limit.ts'

const { signal } = new AbortController()

const setUp = () => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter({ qps: 1, burst: 5, waitTimeoutMs: 2_000 }, clock)
  /** The times at which turns came, and the refusals. */
  const log: (number | 'refused')[] = []
  const take = async (calls = 1, identity = 'AKIA1', abort = signal) => {
    try {
      const turn = await limiter.acquire(identity, calls, abort)
      log.push(clock.now())
      return turn
    } catch (error) {
      if (!(error instanceof RateLimitError)) throw error
      log.push('refused')
      return undefined
    }
  }
  return { clock, log, take }
}

test('a burst passes at once, two wait for their turn, the next is refused at once', async () => {
  const { clock, log, take } = setUp()
  const all = Promise.all(Array.from({ length: 8 }, () => take()))
  await clock.advance(0)
  expect(log).toEqual([0, 0, 0, 0, 0, 'refused'])
  await clock.advance(2_000)
  await all
  expect(log).toEqual([0, 0, 0, 0, 0, 'refused', 1_000, 2_000])
})

test('a refusal takes nothing', async () => {
  const { clock, log, take } = setUp()
  await take(5)
  for (let i = 0; i < 10; i++) await take(3)
  await clock.advance(3_000)
  await take(3)
  expect(log.filter(entry => entry !== 'refused')).toEqual([0, 3_000])
})

test('turns that are given back pass at once', async () => {
  const { log, take } = setUp()
  for (let i = 0; i < 5; i++) {
    const turn = await take(2)
    turn?.release(2)
  }
  expect(log).toEqual([0, 0, 0, 0, 0])
})

test('a rest refills to the burst and no further', async () => {
  const { clock, log, take } = setUp()
  await take(5)
  await clock.advance(600_000)
  await take(5)
  await take(3)
  expect(log).toEqual([0, 600_000, 'refused'])
})

test('each identity has turns of its own', async () => {
  const { log, take } = setUp()
  await take(5, 'AKIA1')
  await take(5, 'arn:aws:iam::1:role/dns')
  expect(log).toEqual([0, 0])
})

test('who gives up while waiting gives the turn back', async () => {
  const { clock, log, take } = setUp()
  await take(5)
  const abort = new AbortController()
  const waiting = take(2, 'AKIA1', abort.signal)
  abort.abort(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
  const next = take(2)
  await clock.advance(2_000)
  await next
  expect(log).toEqual([0, 2_000])
  expect(clock.pending()).toEqual([])
})

test('a bucket is forgotten an hour after its last use', async () => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter({ qps: 0.000_1, burst: 5, waitTimeoutMs: 0 }, clock)
  await limiter.acquire('AKIA1', 5, signal)
  await clock.advance(3_600_000)
  await expect(limiter.acquire('AKIA1', 5, signal)).rejects.toBeInstanceOf(RateLimitError)
  await clock.advance(3_600_001)
  await limiter.acquire('AKIA1', 5, signal)
})
