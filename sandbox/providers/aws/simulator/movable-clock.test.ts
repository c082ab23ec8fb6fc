import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { movableClock } from './movable-clock.ts'

test('the clock runs with the clock that it is based on', async () => {
  const inner = virtualClock(1_000)
  const clock = movableClock(inner)
  await inner.advance(500)
  expect(clock.now()).toBe(1_500)
  clock.jump(10_000)
  await inner.advance(500)
  expect(clock.now()).toBe(12_000)
})

test('a jump ends only the waits until a time that is now past', async () => {
  const inner = virtualClock(0)
  const clock = movableClock(inner)
  const woken: number[] = []
  for (const wait of [1_000, 5_000, 20_000]) void clock.sleep(wait).then(() => woken.push(wait))
  clock.jump(10_000)
  await inner.advance(0)
  expect(woken).toEqual([1_000, 5_000])
  await inner.advance(10_000)
  expect(woken).toEqual([1_000, 5_000, 20_000])
})

test('a jump never exceeds the years that AWS can write', async () => {
  const clock = movableClock(virtualClock(0))
  clock.jump(Number.MAX_SAFE_INTEGER)
  clock.jump(1)
  expect(new Date(clock.now()).toISOString()).toBe('9000-01-01T00:00:00.000Z')
})

test('an aborted wait ends and leaves no timer behind', async () => {
  const inner = virtualClock(0)
  const clock = movableClock(inner)
  const gone = new AbortController()
  const waiting = clock.sleep(1_000, gone.signal)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(clock.sleep(1_000, gone.signal)).rejects.toThrow('gone')
  clock.jump(5_000)
  expect(inner.pending()).toEqual([])
})
