import { expect, test } from 'vitest'
import { createRandom } from './random.ts'
import { createSimulationClock } from './simulation-clock.ts'

test('timers fire by time, and those of one time in the order in which they were set', async () => {
  const clock = createSimulationClock(0)
  const random = createRandom('timers')
  const set = Array.from({ length: 200 }, (_, order) => ({ at: random.int(20), order }))
  const fired: { readonly at: number; readonly order: number }[] = []
  for (const timer of set) clock.after(timer.at, () => fired.push({ at: clock.now(), order: timer.order }))
  await clock.advance(20)
  expect(fired).toEqual(set.toSorted((a, b) => a.at - b.at || a.order - b.order))
})

test('a step fires one timer, and ends at the limit without one', async () => {
  const clock = createSimulationClock(1_000)
  const fired: number[] = []
  const cancel = clock.after(10, () => fired.push(10))
  clock.after(20, () => fired.push(20))
  cancel()
  expect(clock.pending()).toEqual([1_020])
  expect(await clock.step(2_000)).toBe(true)
  expect([clock.now(), fired]).toEqual([1_020, [20]])
  expect(await clock.step(2_000)).toBe(false)
  expect(clock.now()).toBe(2_000)
})

test('code that waits for a timer reaches its next wait before the next timer fires', async () => {
  const clock = createSimulationClock(0)
  const waited: number[] = []
  const work = async () => {
    for (let round = 0; round < 3; round++) {
      await clock.sleep(10)
      waited.push(clock.now())
    }
  }
  const working = work()
  await clock.advance(30)
  await working
  expect(waited).toEqual([10, 20, 30])
})
