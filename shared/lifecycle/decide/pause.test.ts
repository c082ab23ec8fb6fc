import { expect, test } from 'vitest'
import { kinds } from '../../contract/kinds.ts'
import { type TestObject, testNow, testObject } from '../testing/test-objects.ts'
import { dueWork, dueWorkOf } from './due-work.ts'
import { factsOf } from './facts.ts'

const own = kinds.DNSRecord.finalizer()
const deletionTimestamp = '2026-11-21T11:59:00Z'
const past = '2026-11-21T11:59:59.000Z'
const was = 'Reconcile/Succeeded/2026-11-21T11:00:00Z'
const begun = ['Reconcile', 'Processing', '2026-11-21T11:59:00Z'] as const
const succeeded = ['Reconcile', 'Succeeded', '2026-11-21T11:59:00Z'] as const

test.each<[string, TestObject, string | undefined]>([
  ['a request', { annotation: 'reconcile' }, '13:00'],
  ['a new object', {}, '13:00'],
  ['a deletion', { deletionTimestamp, finalizers: [own] }, '13:00'],
  ['a retry', { lastOperation: ['Reconcile', 'Error'], step: { until: past } }, '13:00'],
  ['a lost step', { lastOperation: begun, step: { phase: 'claimed', until: past, was } }, '13:00'],
  ['a wait with a later end', { lastOperation: begun, step: { until: '2026-11-21T14:00:00Z' } }, '14:00'],
  ['a running step', { lastOperation: begun, step: { phase: 'claimed', was } }, '12:01'],
  ['nothing', { lastOperation: succeeded }, undefined],
])('a pause postpones %s to its end', (_, input, at) => {
  const pause = '2026-11-21T13:00:00Z anna: a test'
  const paused = dueWork('DNSRecord', testObject('DNSRecord', { ...input, pause }), testNow)
  const free = dueWork('DNSRecord', testObject('DNSRecord', input), testNow)
  expect(paused).toMatchObject(
    at === undefined ? { kind: 'none' } : { kind: 'later', at: Date.parse(`2026-11-21T${at}:00Z`) },
  )
  // After its end, the event has the same id as without.
  const after = testObject('DNSRecord', { ...input, pause: '2026-11-21T12:00:00Z' })
  expect(dueWork('DNSRecord', after, testNow)).toEqual(free)
})

test('a pause changes the metadata of an object in deletion, as for versions that know no pause', () => {
  const deleting = { deletionTimestamp, finalizers: [own] }
  const [before, paused] = [{}, { pause: past }].map(
    more => factsOf(testObject('DNSRecord', { ...deleting, ...more })).metadataHash,
  )
  expect(paused).not.toBe(before)
})

// An older function computes only the wait, so it would refuse the event of a touch for ever.
test('after a wait, the bridge sends the event of the wait for a repeated request', () => {
  const object = testObject('DNSRecord', {
    ...{ annotation: 'reconcile', timestamp: 'a', lastOperation: ['Reconcile', 'Error'] },
    step: { request: 'reconcile@a', until: past },
  })
  const facts = factsOf(object)
  const seen = { at: testNow - 3_600_000, written: true }
  expect(dueWorkOf('DNSRecord', facts, testNow, seen)).toMatchObject({ kind: 'emit', timed: true })
  expect(dueWorkOf('DNSRecord', facts, testNow)).toMatchObject({ kind: 'emit', reason: 'touched' })
})
