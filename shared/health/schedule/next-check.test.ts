import { expect, test } from 'vitest'
import { kinds } from '../../contract/kinds.ts'
import { factsOf } from '../../lifecycle/lifecycle.ts'
import { type Monitored, newMonitored } from './monitored.ts'
import { nextCheck, noteNow, noteOrdered } from './next-check.ts'

const start = Date.parse('2026-11-21T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
const roundMs = 20 * minute

const monitored = (status: string, fields: Partial<Monitored> = {}): Monitored => {
  const { group, version } = kinds.Worker.resource
  const object = {
    apiVersion: `${group}/${version}`,
    kind: 'Worker',
    metadata: { name: 'w', namespace: 'n', uid: 'u' },
  }
  const time = '2026-11-21T12:00:00Z'
  const shown = { status, lastUpdateTime: time, lastTransitionTime: time }
  return { ...newMonitored('id', 'Worker', object, factsOf(object), shown, start), ...fields }
}
const next = (object: Monitored) => nextCheck(object, false, roundMs)

/** Orders the checks of an object until it waits for a round, and returns the seconds between them. */
const gapsOf = (object: Monitored, answer: (now: number) => void = () => {}) => {
  const gaps: number[] = []
  let now = start
  for (let due = next(object); due !== undefined && gaps.length < 20; due = next(object)) {
    gaps.push((due.at - now) / 1_000)
    now = due.at
    noteOrdered(object, now, due.reason)
    answer(now)
  }
  return gaps
}

test('a healthy object waits for a change or a round', () => {
  expect(next(monitored('True'))).toBeUndefined()
})

test('an unhealthy object is checked at doubling intervals, then only in rounds', () => {
  const object = monitored('False')
  const answer = () => {
    object.missed = 0
  }
  expect(gapsOf(object, answer)).toEqual([30, 30, 60, 120, 240, 480, 960])
})

test('an object that has been unhealthy for days is checked only in rounds after a restart', () => {
  const object = monitored('False', { since: start - 72 * hour })
  noteOrdered(object, start, 'round')
  expect(next(object)).toBeUndefined()
})

test('a change of facts starts the intervals again', () => {
  const object = monitored('False', { since: start - 72 * hour })
  noteOrdered(object, start, 'changed')
  expect(next(object)).toEqual({ reason: 'unhealthy', at: start + 30_000 })
})

test('a progressing condition is checked every 30 s while its function answers', () => {
  const object = monitored('Progressing', { since: start - hour })
  noteOrdered(object, start, 'round')
  expect(next(object)).toEqual({ reason: 'unhealthy', at: start + 30_000 })
  object.missed = 1
  expect(next(object)).toBeUndefined()
})

test('an unanswered check is repeated at doubling intervals, then only in rounds', () => {
  const object = monitored('True', { writtenAt: undefined })
  noteOrdered(object, start, 'changed')
  expect(gapsOf(object)).toEqual([30, 30, 60, 120, 240, 480, 960])
})

test('a check of a round counts as answered, because nothing is written', () => {
  const object = monitored('True', { writtenAt: undefined })
  noteOrdered(object, start, 'round')
  expect(object.missed).toBe(0)
  expect(next(object)).toBeUndefined()
})

test('a change is checked at once after the clock was set back', () => {
  const object = monitored('True')
  noteOrdered(object, start, 'changed')
  const now = start - hour
  object.changedAt = now
  noteNow(object, now)
  expect(next(object)).toEqual({ reason: 'changed', at: now + 500 })
})

test('an unhealthy object is checked in time after the clock was set back', () => {
  const object = monitored('False')
  noteOrdered(object, start, 'unhealthy')
  const now = start - hour
  noteNow(object, now)
  expect(next(object)).toEqual({ reason: 'unhealthy', at: now + 30_000 })
})

test('a check of a round is ordered after the clock was set back', () => {
  const object = monitored('True', { due: { reason: 'round', at: start + 3_000 } })
  const now = start - hour
  noteNow(object, now)
  expect(next(object)).toEqual({ reason: 'round', at: now })
})

test('a clock that advances changes nothing', () => {
  const object = monitored('True', { due: { reason: 'round', at: start + 3_000 } })
  noteOrdered(object, start, 'refresh')
  const before = { ...object }
  noteNow(object, start + 1)
  expect(object).toEqual(before)
})
