import { expect, test } from 'vitest'
import { kinds } from '../../../shared/contract/kinds.ts'
import { factsOf } from '../../../shared/lifecycle/lifecycle.ts'
import { type Monitored, newMonitored } from './monitored.ts'
import { nextCheck, noteNow, noteOrdered, noteWritten } from './next-check.ts'

const start = Date.parse('2026-11-21T12:00:00Z')
const hour = 3_600_000

const monitored = (fields: Partial<Monitored> = {}): Monitored => {
  const { group, version } = kinds.Worker.resource
  const object = {
    apiVersion: `${group}/${version}`,
    kind: 'Worker',
    metadata: { name: 'w', namespace: 'n', uid: 'u' },
  }
  return { ...newMonitored('id', 'Worker', object, factsOf(object)), ...fields }
}

const isTrue = { status: 'True', lastUpdateTime: '2026-11-21T12:00:00Z' }

test('a change is checked at once after the clock was set back', () => {
  const object = monitored({ shown: isTrue })
  noteOrdered(object, start, 'changed')
  const now = start - hour
  object.changedAt = now
  noteNow(object, now)
  expect(nextCheck(object, false)).toEqual({ reason: 'changed', at: now + 500 })
})

test('a condition is rewritten in time after the clock was set back', () => {
  const object = monitored({ shown: isTrue })
  noteWritten(object, start, () => 0.5)
  const now = start - hour
  noteNow(object, now)
  expect(nextCheck(object, false)).toEqual({ reason: 'refresh', at: now + 280_000 })
})

test('a pending catch-up still happens after the clock was set back', () => {
  const object = monitored({ shown: isTrue, catchUpAt: start + 30_000 })
  const now = start - hour
  noteNow(object, now)
  expect(nextCheck(object, false)).toEqual({ reason: 'start', at: now + 60_000 })
})

test('a clock that advances changes nothing', () => {
  const object = monitored({ shown: isTrue, catchUpAt: start + 30_000 })
  noteOrdered(object, start, 'refresh')
  noteWritten(object, start, () => 0.5)
  const before = { ...object }
  noteNow(object, start + 1)
  expect(object).toEqual(before)
})
