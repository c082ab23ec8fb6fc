import { expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import { releaseAtRest } from './release-at-rest.ts'

const setUp = () => {
  const clock = virtualClock(0)
  let released = 0
  const memory = releaseAtRest({ worthIt: 1_000, restMs: 2_000, clock, release: () => released++ })
  return { clock, ...memory, released: () => released }
}

test('memory is released once, when a pause follows much work', async () => {
  const { clock, work, released } = setUp()
  for (let time = 0; time < 1_000; time++) work()
  await clock.advance(1_500)
  work()
  await clock.advance(1_500)
  expect(released()).toBe(0)
  await clock.advance(500)
  expect(released()).toBe(1)
  await clock.advance(60_000)
  expect(released()).toBe(1)
})

test('work may count for more than one', async () => {
  const { clock, work, released } = setUp()
  work(1_000)
  await clock.advance(2_000)
  expect(released()).toBe(1)
})

test('a pause after little work costs no time', async () => {
  const { clock, work, released } = setUp()
  work(999)
  await clock.advance(60_000)
  expect(released()).toBe(0)
})

test('a clock that is set back delays the release by one pause at most', async () => {
  const { clock, work, released } = setUp()
  await clock.advance(3_600_000)
  work(1_000)
  const { now } = clock
  Object.assign(clock, { now: () => now() - 3_000_000 })
  await clock.advance(2_000)
  Object.assign(clock, { now })
  await clock.advance(2_000)
  expect(released()).toBe(1)
})

test('no timer remains at the end', async () => {
  const { clock, work, stop, released } = setUp()
  work(1_000)
  stop()
  work(1_000)
  await clock.advance(60_000)
  expect(released()).toBe(0)
})
