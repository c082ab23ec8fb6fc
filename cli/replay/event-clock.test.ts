import { expect, test } from 'vitest'
import { createEventClock } from './event-clock.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

test('the clock does not advance during work', async () => {
  const clock = createEventClock()
  clock.moveTo(start)
  await new Promise(resolve => setTimeout(resolve, 5))
  expect(clock.now()).toBe(start)
})

test('a wait advances it by the waited time, and no more', async () => {
  const clock = createEventClock()
  clock.moveTo(start)
  await clock.sleep(5)
  expect(clock.now()).toBe(start + 5)
  await new Promise<void>(resolve => clock.after(7, resolve))
  expect(clock.now()).toBe(start + 12)
})

test('a cancelled wait does not advance it', async () => {
  const clock = createEventClock()
  clock.moveTo(start)
  const cancel = clock.after(1, () => {})
  cancel()
  await expect(clock.sleep(1_000, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  await new Promise(resolve => setTimeout(resolve, 5))
  expect(clock.now()).toBe(start)
})

test('a sleep takes the requested time, and advances it by that', async () => {
  const clock = createEventClock({ sleepRate: 0.001 })
  clock.moveTo(start)
  const both = [clock.sleep(60_000), clock.sleep(30_000)]
  await Promise.all(both)
  expect(clock.now()).toBe(start + 60_000)
})
