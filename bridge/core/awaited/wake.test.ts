import { describe, expect, test } from 'vitest'
import { nextWoken, type Wake, withChange, withClaimSeen, withEventSent } from './wake.ts'

const now = 1_000_000
const woken = (ago: number, completed = 0) => ({ at: now - ago, completed })

describe('the event for a change', () => {
  test('it is due after 200 ms, whether or not everything is complete', () => {
    const changed = { at: now + 200, changedAt: now, sent: false }
    expect(withChange(undefined, true, now, undefined)).toEqual({ ...changed, complete: true })
    expect(withChange(undefined, false, now, undefined)).toEqual({ ...changed, complete: false })
  })

  test.each([
    ['there is more to wait for', false, 0, 5_000],
    ['everything is complete', true, 0, 500],
    ['everything is complete for the second time', true, 1, 1_000],
    ['everything is complete for the fourth time', true, 3, 4_000],
    ['everything is complete for the twentieth time', true, 19, 5_000],
  ])('if %s, it follows the last one at an interval', (_, complete, completed, gapMs) => {
    expect(withChange(undefined, complete, now, woken(100, completed)).at).toBe(now - 100 + gapMs)
  })

  test('it does not wait for an interval that is over, and a row ends after 30 s', () => {
    expect(withChange(undefined, false, now, woken(5_000)).at).toBe(now + 200)
    expect(withChange(undefined, true, now, woken(29_000, 19)).at).toBe(now + 200)
    expect(nextWoken(woken(30_000, 3), { complete: true }, now)).toEqual({ at: now, completed: 4 })
    expect(nextWoken(woken(30_001, 3), { complete: true }, now)).toEqual({ at: now, completed: 1 })
  })

  test('only events that report completeness make a row', () => {
    expect(nextWoken(undefined, { complete: true }, now)).toEqual({ at: now, completed: 1 })
    expect(nextWoken(woken(100, 2), { complete: false }, now)).toEqual({ at: now, completed: 2 })
    expect(nextWoken(woken(100, 2), undefined, now)).toEqual({ at: now, completed: 2 })
  })
})

describe('another change', () => {
  const waiting: Wake = { at: now + 4_000, changedAt: now - 500, complete: false, sent: false }

  test('it does not move the event, unless all objects are now complete: then the event is sent earlier', () => {
    expect(withChange(waiting, false, now, woken(100))).toEqual(waiting)
    expect(withChange(waiting, true, now, woken(100))).toEqual({ ...waiting, complete: true, at: now + 400 })
    expect(withChange({ ...waiting, at: now + 10 }, true, now, woken(100)).at).toBe(now + 10)
  })

  test('after the event is sent, it needs an event of its own after the claim', () => {
    const sent = withEventSent(waiting)
    expect(withClaimSeen(sent, woken(100))).toBeUndefined()
    const changed = withChange(sent, false, now, woken(100))
    expect(changed).toEqual({ at: waiting.at, changedAt: now, complete: false, sent: false })
    expect(withClaimSeen(changed, woken(100))).toEqual({ ...changed, at: now - 100 + 5_000 })
  })
})
