import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergePatch } from '../kubernetes/merge-patch.ts'
import type { JournalEntry } from './entry.ts'
import { createHistory } from './history.ts'

const start = Date.parse('2026-11-21T12:00:00.000Z')
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()
const id = 'DNSRecord a/b'
const event = { id: 'e', source: '/seeds/a', type: 't', subject: 'a/b', time: time(0) }

const entries: readonly JournalEntry[] = [
  { type: 'object', at: time(0), id, object: { spec: { a: 1 }, status: { n: 0 } } },
  { type: 'event', at: time(1), event: { ...event, kind: 'DNSRecord', namespace: 'a', name: 'b' } },
  { type: 'object', at: time(2), id, patch: { status: { n: 1 } } },
  {
    type: 'step',
    at: time(3),
    event: 'e',
    function: 'f',
    object: id,
    operation: 'reconcile',
    began: time(2),
    ms: 1,
    outcome: 'succeeded',
    calls: [],
  },
  { type: 'object', at: time(4), id, gone: true },
  { type: 'object', at: time(6), id, object: { spec: { a: 2 } } },
  { type: 'gap', at: time(7), why: 'rest' },
]

test('an object is as it was at each moment', () => {
  const history = createHistory(entries)
  const at = (seconds: number) => history.at(start + seconds * 1000).get(id)
  expect([-1, 0, 1.9, 2, 3.9, 4, 5, 6, 60].map(at)).toEqual([
    undefined,
    { spec: { a: 1 }, status: { n: 0 } },
    { spec: { a: 1 }, status: { n: 0 } },
    { spec: { a: 1 }, status: { n: 1 } },
    { spec: { a: 1 }, status: { n: 1 } },
    undefined,
    undefined,
    { spec: { a: 2 } },
    { spec: { a: 2 } },
  ])
  expect(history.at(start + 5_000).ids()).toEqual([])
  expect(history.at(start + 6_000).ids()).toEqual([id])
  expect(history.span()).toEqual({ from: start, until: start + 7_000 })
})

test('steps, events and changes are found by their object', () => {
  const history = createHistory(entries)
  expect(history.stepsOf(id).map(step => step.function)).toEqual(['f'])
  expect(history.eventsOf(id).map(({ event }) => event.id)).toEqual(['e'])
  expect(history.changesOf(id).map(({ before, after }) => [before()?.status, after()?.status])).toEqual([
    [undefined, { n: 0 }],
    [{ n: 0 }, { n: 1 }],
    [{ n: 1 }, undefined],
    [undefined, undefined],
  ])
  expect([history.stepsOf('other'), history.eventsOf('other'), history.changesOf('other')]).toEqual([
    [],
    [],
    [],
  ])
})

test('equal parts of two moments are the same values', () => {
  const history = createHistory(entries)
  const [before, after] = [history.at(start).get(id), history.at(start + 2_000).get(id)]
  expect(after?.spec).toBe(before?.spec)
  expect(history.at(start + 1_000).get(id)).toBe(before)
  expect(history.at(start).version(id)).toBe(history.at(start + 1_000).version(id))
})

test('a patch of an unknown object is counted and ignored', () => {
  const history = createHistory([{ type: 'object', at: time(0), id, patch: { a: 1 } }])
  expect([history.lostPatches(), history.at(start).get(id)]).toEqual([1, undefined])
})

test('a clock that is set back does not reorder entries', () => {
  const history = createHistory([
    { type: 'object', at: time(5), id, object: { n: 0 } },
    { type: 'object', at: time(1), id, patch: { n: 1 } },
  ])
  expect(history.at(start + 2_000).get(id)).toBeUndefined()
  expect(history.at(start + 5_000).get(id)).toEqual({ n: 1 })
})

test('objects with the names of fields that every object inherits are objects like others', () => {
  const hostile = ['__proto__', 'constructor', 'toString']
  const history = createHistory(
    hostile.map(name => ({ type: 'object' as const, at: time(0), id: name, object: { name } })),
  )
  expect(history.ids()).toEqual(hostile)
  expect(hostile.map(name => history.at(start).get(name))).toEqual(hostile.map(name => ({ name })))
  expect(history.at(start).get('valueOf')).toBeUndefined()
})

test('a moment equals all patches until then, in whatever order moments are asked for', () => {
  const patches = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(fc.nat(3))), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(patches, fc.array(fc.nat(45)), (changes, moments) => {
      const history = createHistory([
        { type: 'object', at: time(0), id, object: {} },
        ...changes.map((patch, index) => ({ type: 'object' as const, at: time(index + 1), id, patch })),
      ])
      for (const moment of moments) {
        const expected = changes.slice(0, moment).reduce<unknown>(mergePatch, {})
        expect(history.at(start + moment * 1000).get(id)).toEqual(expected)
      }
    }),
  )
})
