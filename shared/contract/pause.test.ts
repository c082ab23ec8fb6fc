import { expect, test } from 'vitest'
import { annotations } from './constants.ts'
import { isInForce, laterPause, parsePause, pauseOf, pauseProblem } from './pause.ts'

const until = Date.parse('2026-12-01T10:00:00Z')
const day = 86_400_000

test('the annotation has the end of the pause, and then any text', () => {
  expect(parsePause(' 2026-12-01T10:00:00Z  anna: NAT\tgateway ')).toEqual({
    until,
    note: 'anna: NAT gateway',
  })
  expect(parsePause('2026-12-01T11:00:00+01:00')).toEqual({ until, note: '' })
})

test.each(['', 'tomorrow', '24h', '2026-12-01', '{"until":"2026-12-01T10:00:00Z"}', '2026-13-01T10:00:00Z'])(
  'the annotation %j pauses nothing',
  text => {
    const metadata = { annotations: { [annotations.pause]: text } }
    expect(pauseOf(metadata)).toBeUndefined()
    expect(pauseProblem(metadata, 0)).toContain('is ignored: its first word is no time')
  },
)

const hour = 3_600_000

test('a pause is in force from 14 days and an hour before its end until its end', () => {
  const metadata = { annotations: { [annotations.pause]: '2026-12-01T10:00:00Z' } }
  const pause = pauseOf(metadata)
  const at = [until - 14 * day - hour - 1, until - 14 * day - hour, until - 1, until]
  expect(at.map(now => isInForce(pause, now))).toEqual([false, true, true, false])
  expect(at.map(now => pauseProblem(metadata, now))).toEqual([
    expect.stringContaining('it ends in more than 14 days'),
    undefined,
    undefined,
    expect.stringContaining('its time is over'),
  ])
  expect(isInForce(undefined, until)).toBe(false)
  expect(pauseProblem({}, until)).toBeUndefined()
})

test('of two pauses in force, the later end counts', () => {
  const now = until - 1
  const invalid = { until: until + 20 * day, note: 'a wrong year' }
  expect(laterPause({ until, note: '' }, invalid, now)).toMatchObject({ until })
  expect(laterPause(invalid, { until, note: '' }, now)).toMatchObject({ until })
  const one = { until, note: 'one' }
  const other = { until: until + 1, note: 'other' }
  expect(laterPause(one, other, now)).toBe(other)
  expect(laterPause(other, one, now)).toBe(other)
  expect(laterPause(undefined, one, now)).toBe(one)
  expect(laterPause(one, undefined, now)).toBe(one)
})
