import { expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import { continueSoon } from './continue-soon.ts'

const wait = { waitsFor: 'pod', progress: 50, description: 'waiting for the pod' }

/** Returns the pauses of a wait in milliseconds. */
const pausesOf = async (count: number): Promise<readonly number[]> => {
  const clock = virtualClock(0)
  const since = clock.now()
  const pauses: number[] = []
  for (let index = 0; index < count; index++) {
    const waited = index === 0 ? undefined : { for: 'pod', since }
    const result = continueSoon({ clock, waited }, wait)
    if (result.kind !== 'continue') throw new Error('it did not wait')
    pauses.push(result.afterMs)
    await clock.advance(result.afterMs)
  }
  return pauses
}

test('a wait is checked soon at first, and then in pauses that grow to 10 s', async () => {
  expect(await pausesOf(7)).toEqual([500, 500, 500, 750, 1125, 1688, 2532])
  expect((await pausesOf(30)).at(-1)).toBe(10_000)
})

test('another wait starts with the first pause', () => {
  const clock = virtualClock(60_000)
  const waited = { for: 'something else', since: 0 }
  expect(continueSoon({ clock, waited }, wait)).toMatchObject({ afterMs: 500 })
})

test('a wait beyond its limit ends in an error that describes the wait', () => {
  const clock = virtualClock(60_000)
  const waited = { for: 'pod', since: 0 }
  expect(() => continueSoon({ clock, waited }, { ...wait, limitMs: 60_000 })).toThrow('waiting for the pod')
  expect(continueSoon({ clock, waited }, { ...wait, limitMs: 60_001 })).toMatchObject({ kind: 'continue' })
})
