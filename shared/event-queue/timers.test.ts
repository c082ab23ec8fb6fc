import fc from 'fast-check'
import { expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import { createTimers } from './scheduler.ts'

test('each key is called once, at its last time, soonest first, whatever is set and cleared before', async () => {
  const change = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    at: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 200 }), async changes => {
      const clock = virtualClock(0)
      const fired: [string, number][] = []
      const timers = createTimers(clock, key => fired.push([key, clock.now()]))
      const model = new Map<string, number>()
      for (const { key, at } of changes) {
        if (at === undefined) {
          timers.clear(key)
          model.delete(key)
        } else {
          timers.set(key, at)
          model.set(key, at)
        }
        expect(clock.pending().length).toBe(model.size > 0 ? 1 : 0)
      }
      await clock.advance(100)
      const byTime = (a: [string, number], b: [string, number]) => a[1] - b[1] || a[0].localeCompare(b[0])
      expect(fired.map(([, at]) => at)).toEqual([...model.values()].sort((a, b) => a - b))
      expect([...fired].sort(byTime)).toEqual([...model].sort(byTime))
    }),
    { numRuns: 50 },
  )
})

test('a time in the past fires at once, and nothing fires after stop', async () => {
  const clock = virtualClock(1_000)
  const fired: string[] = []
  const timers = createTimers(clock, key => fired.push(key))
  timers.set('past', 10)
  await clock.advance(0)
  expect(fired).toEqual(['past'])
  timers.set('later', 2_000)
  timers.stop()
  timers.set('after the stop', 2_000)
  await clock.advance(5_000)
  expect(fired).toEqual(['past'])
  expect(clock.pending()).toEqual([])
})

test('a key can be set again during its own call', async () => {
  const clock = virtualClock(0)
  let left = 3
  const timers = createTimers(clock, key => {
    if (--left > 0) timers.set(key, clock.now() + 10)
  })
  timers.set('a', 10)
  await clock.advance(100)
  expect(left).toBe(0)
})

test('a clock that is set back delays no key', async () => {
  const clock = virtualClock(100_000_000)
  const fired: string[] = []
  const timers = createTimers(clock, key => fired.push(key))
  timers.set('first', clock.now() + 10_000)
  timers.set('second', clock.now() + 60_000)
  const now = clock.now
  Object.assign(clock, { now: () => now() - 3_600_000 })
  await clock.advance(10_000)
  expect(fired).toEqual(['first'])
  await clock.advance(50_000)
  expect(fired).toEqual(['first', 'second'])
  timers.set('third', clock.now() + 60_000)
  Object.assign(clock, { now: () => now() - 7_200_000 })
  timers.set('fourth', clock.now() + 5_000)
  await clock.advance(60_000)
  expect(fired.slice(2)).toEqual(['fourth', 'third'])
})
