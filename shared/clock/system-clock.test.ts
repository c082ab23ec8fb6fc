import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from './system-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const day = 86_400_000

test.each([24, 25, 49, 50, 100])('a wait of %d days ends after these days and no earlier', async days => {
  let calls = 0
  systemClock.after(days * day, () => {
    calls++
  })
  await vi.advanceTimersByTimeAsync(days * day - 1)
  expect(calls).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(calls).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

test.each([0, 10, 30])(
  'a wait of 40 days that is cancelled after %d days leaves no timer behind',
  async days => {
    const cancel = systemClock.after(40 * day, () => expect.unreachable())
    await vi.advanceTimersByTimeAsync(days * day)
    cancel()
    cancel()
    expect(vi.getTimerCount()).toBe(0)
  },
)

test('a wait of no time or less ends at once', async () => {
  for (const milliseconds of [0, -5]) {
    const waited = systemClock.sleep(milliseconds)
    await vi.advanceTimersByTimeAsync(1)
    await waited
  }
})
