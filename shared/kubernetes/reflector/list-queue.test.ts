import { expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import { createListQueue } from './list-queue.ts'

const bench = () => {
  const clock = virtualClock(0)
  const queue = createListQueue(clock)
  const reading: string[] = []
  /** Takes a turn; it is over when the test says so. */
  const take = (name: string, signal = new AbortController().signal) => {
    const end = Promise.withResolvers<void>()
    const done = queue.take(signal, async () => {
      reading.push(name)
      await end.promise.finally(() => reading.splice(reading.indexOf(name), 1))
    })
    done.catch(() => undefined)
    return { end, done }
  }
  return { clock, reading, take }
}

test('one reads at a time, in the order in which they asked', async () => {
  const { clock, reading, take } = bench()
  const queue = ['a', 'b', 'c'].map(name => take(name))
  const seen: string[][] = []
  for (const { end } of queue) {
    await clock.advance(0)
    seen.push([...reading])
    end.resolve()
  }
  await clock.advance(0)
  expect([...seen, reading]).toEqual([['a'], ['b'], ['c'], []])
  expect(clock.pending()).toEqual([])
})

test('one that fails lets the next one read', async () => {
  const { clock, reading, take } = bench()
  const first = take('a')
  take('b')
  await clock.advance(0)
  first.end.reject(new Error('reset'))
  await expect(first.done).rejects.toThrow('reset')
  await clock.advance(0)
  expect(reading).toEqual(['b'])
})

test('one that takes too long does not hold up the others', async () => {
  const { clock, reading, take } = bench()
  for (const name of ['a', 'b', 'c']) take(name)
  await clock.advance(9_999)
  expect(reading).toEqual(['a'])
  await clock.advance(1)
  expect(reading).toEqual(['a', 'b'])
})

test('one that is aborted while it waits rejects at once, and the next one still waits for those before', async () => {
  const { clock, reading, take } = bench()
  const first = take('a')
  const controller = new AbortController()
  const second = take('b', controller.signal)
  take('c')
  controller.abort(new Error('enough'))
  await expect(second.done).rejects.toThrow('enough')
  await clock.advance(0)
  expect(reading).toEqual(['a'])
  first.end.resolve()
  await clock.advance(0)
  expect(reading).toEqual(['c'])
})
