import { expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import { type JournalRing, journalRing } from './journal-ring.ts'

const event = (id: string, pad = '') => ({ id, source: 's', type: 't', subject: 'a/b', time: 'now', pad })
const all = (ring: JournalRing, after = -1) => {
  const ids: string[] = []
  let dropped = 0
  let last = after
  for (let next = ring.next(last); next !== undefined; next = ring.next(last)) {
    ids.push(JSON.parse(next.line.text).event.id)
    dropped += next.dropped
    last = next.line.number
  }
  return { ids, dropped, last }
}

test('the last lines stay, and dropped ones are counted', () => {
  const ring = journalRing(virtualClock(0), 10_000)
  for (let index = 0; index < 5_000; index++) ring.event(event(String(index)))
  const { ids, dropped } = all(ring)
  expect(ids.at(-1)).toBe('4999')
  expect(ids.length + dropped).toBe(5_000)
  expect(ids.length).toBeGreaterThan(20)
  expect(ids.length).toBeLessThan(100)
})

test('many small lines are bounded by their number', () => {
  const ring = journalRing(virtualClock(0), 1_000_000_000)
  for (let index = 0; index < 25_000; index++) ring.event(event(String(index)))
  expect(all(ring).ids).toHaveLength(20_000)
})

test('a line that is larger than the ring is dropped', () => {
  const ring = journalRing(virtualClock(0), 1_000)
  ring.event(event('a'))
  ring.event(event('b', 'x'.repeat(2_000)))
  ring.event(event('c'))
  expect(all(ring)).toMatchObject({ ids: ['c'], dropped: 2 })
})

test('a cursor continues after its line, also if that line was dropped', () => {
  const ring = journalRing(virtualClock(0), 2_000)
  const cursorOf = () => JSON.parse(ring.next(all(ring).last - 1)?.line.text ?? '').cursor as string
  ring.event(event('a'))
  const cursor = cursorOf()
  ring.event(event('b'))
  expect(all(ring, ring.numberOf(cursor))).toMatchObject({ ids: ['b'], dropped: 0 })
  for (let index = 0; index < 100; index++) ring.event(event(`c${index}`))
  const later = all(ring, ring.numberOf(cursor))
  expect(later.ids.length + later.dropped).toBe(101)
  expect(ring.numberOf(cursorOf())).toBe(101)
})

test.each(['', 'x', 'other-1', '-1', 'null', '../..', '\u001b[31m'])(
  'a foreign cursor %j is before everything',
  cursor => {
    const ring = journalRing(virtualClock(0), 2_000)
    ring.event(event('a'))
    expect(ring.numberOf(cursor)).toBe(-1)
  },
)
