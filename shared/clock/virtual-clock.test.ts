import { describe, expect, test } from 'vitest'
import { virtualClock } from './virtual-clock.ts'

describe('a virtual clock', () => {
  test('due timers fire in order, each at its due time', async () => {
    const clock = virtualClock(1_000)
    const fired: [string, number][] = []
    clock.after(20, () => fired.push(['late', clock.now()]))
    clock.after(10, () => fired.push(['early', clock.now()]))
    clock.after(31, () => fired.push(['never', clock.now()]))
    await clock.advance(30)
    expect(fired).toEqual([
      ['early', 1_010],
      ['late', 1_020],
    ])
    expect(clock.now()).toBe(1_030)
    expect(clock.pending()).toEqual([1_031])
  })

  test('a timer that another timer sets fires in the same advance', async () => {
    const clock = virtualClock(0)
    const waited: number[] = []
    const work = async () => {
      for (let round = 0; round < 3; round++) {
        await clock.sleep(10)
        waited.push(clock.now())
      }
    }
    const done = work()
    await clock.advance(30)
    await done
    expect(waited).toEqual([10, 20, 30])
  })

  test('an aborted sleep rejects with the reason of its signal and leaves no timer behind', async () => {
    const clock = virtualClock(0)
    const controller = new AbortController()
    const slept = clock.sleep(10, controller.signal)
    controller.abort(new Error('stop'))
    await expect(slept).rejects.toThrow('stop')
    expect(clock.pending()).toEqual([])
    await expect(clock.sleep(10, controller.signal)).rejects.toThrow('stop')
  })

  test('a cancelled timer does not fire', async () => {
    const clock = virtualClock(0)
    let fired = false
    const cancel = clock.after(10, () => {
      fired = true
    })
    cancel()
    cancel()
    await clock.advance(20)
    expect(fired).toBe(false)
  })
})
