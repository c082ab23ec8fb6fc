import { expect, test } from 'vitest'
import { createEventClock } from './event-clock.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

test('stands still while work goes on', async () => {
  const clock = createEventClock()
  clock.moveTo(start)
  await new Promise(resolve => setTimeout(resolve, 5))
  expect(clock.now()).toBe(start)
})

test('moves by what was waited for, and by no more', async () => {
  const clock = createEventClock()
  clock.moveTo(start)
  await clock.sleep(5)
  expect(clock.now()).toBe(start + 5)
  await new Promise<void>(resolve => clock.after(7, resolve))
  expect(clock.now()).toBe(start + 12)
})

test('does not move for a wait that was called off', async () => {
  const clock = createEventClock()
  clock.moveTo(start)
  const cancel = clock.after(1, () => {})
  cancel()
  await expect(clock.sleep(1_000, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  await new Promise(resolve => setTimeout(resolve, 5))
  expect(clock.now()).toBe(start)
})

test('sleeps as long as it is told to, and moves by all of the sleep', async () => {
  const clock = createEventClock({ sleepRate: 0.001 })
  clock.moveTo(start)
  const both = [clock.sleep(60_000), clock.sleep(30_000)]
  await Promise.all(both)
  expect(clock.now()).toBe(start + 60_000)
})
