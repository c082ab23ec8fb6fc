import { expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import { createListQueue } from './list-queue.ts'

const bench = () => {
  const clock = virtualClock(0)
  const queue = createListQueue(clock)
  const reading: string[] = []
  /** Enters the queue; the test ends its read. */
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

test('only one list reads at a time, in the order of the requests', async () => {
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

test('after a failed read the next one starts', async () => {
  const { clock, reading, take } = bench()
  const first = take('a')
  take('b')
  await clock.advance(0)
  first.end.reject(new Error('reset'))
  await expect(first.done).rejects.toThrow('reset')
  await clock.advance(0)
  expect(reading).toEqual(['b'])
})

test('a slow read does not block the others', async () => {
  const { clock, reading, take } = bench()
  for (const name of ['a', 'b', 'c']) take(name)
  await clock.advance(9_999)
  expect(reading).toEqual(['a'])
  await clock.advance(1)
  expect(reading).toEqual(['a', 'b'])
})

test('an aborted wait rejects at once, and the next read still waits for the earlier ones', async () => {
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
