import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { annotations } from '../../contract/constants.ts'
import type { KindName } from '../../contract/kinds.ts'
import { parseStepAnnotation, type StepAnnotation } from '../../contract/step-annotation.ts'
import { defaultStepLimits } from '../backend.ts'
import { testNow as now, testNow, testObject } from '../testing/test-objects.ts'
import { backoffMs, claimPatch, type StepSeen, stepEnd, stopPatch, waitingStep } from './claim.ts'
import { dueWorkOf } from './due-work.ts'
import { factsOf, openRequest } from './facts.ts'
import { forcedDeletionOf } from './forced-deletion.ts'

/** Maximum bytes of the step annotation, of the 256 KiB of an object's annotations. */
const mostBytes = 2_048

/** The longest possible text, with characters that JSON expands most. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.integer({ min: 1, max: 262_144 }).map(length => '\u0001'.repeat(length)),
  fc.constantFrom('', '"'.repeat(200_000), '🙂'.repeat(60_000), '\ud800'.repeat(129)),
)
const anyObject = fc.record(
  {
    annotation: fc.constantFrom('reconcile', 'restore', 'migrate'),
    timestamp: anyText,
    deletionTimestamp: anyText,
    lastOperation: fc.tuple(anyText, anyText, anyText),
    generation: fc.maxSafeNat(),
    step: fc.record(
      { event: anyText, request: anyText, was: anyText, attempt: fc.nat() },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

const annotationOf = (patch: object): string => {
  const { metadata } = patch as { metadata: { annotations: Record<string, string> } }
  return metadata.annotations[annotations.step] ?? ''
}

test('every written annotation is short, whatever others have written and sent', () => {
  fc.assert(
    fc.property(
      anyObject,
      anyText,
      fc.constantFrom<KindName>('DNSRecord', 'BackupBucket', 'Infrastructure'),
      (input, eventId, kind) => {
        const facts = factsOf(testObject(kind, input))
        const { patch, step } = claimPatch({
          facts,
          operation: 'reconcile',
          request: openRequest(kind, facts),
          eventId,
          now: testNow,
          limits: defaultStepLimits,
          forced: forcedDeletionOf(facts, testNow),
          addFinalizer: undefined,
        })
        const wait = stopPatch(facts, waitingStep(step, testNow, 1_000_000, 4_000_000_000))
        for (const text of [annotationOf(patch), annotationOf(wait)]) {
          expect(Buffer.byteLength(text)).toBeLessThan(mostBytes)
          expect(parseStepAnnotation(text), 'it can be read again').toBeDefined()
        }
      },
    ),
  )
})

test('two long requests are different, and the answered one is recognized', () => {
  const asked = (end: string) =>
    factsOf(testObject('DNSRecord', { annotation: 'reconcile', timestamp: `${'t'.repeat(1_000)}${end}` }))
  const ids = ['a', 'b', 'a'].map(end => openRequest('DNSRecord', asked(end))?.id)
  expect(ids[0]).not.toBe(ids[1])
  expect(ids[0]).toBe(ids[2])
})

describe('the backoff', () => {
  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [10, 512_000],
    [11, 1_000_000],
    [12, 1_000_000],
    [5_000, 1_000_000],
  ])('the backoff after %i failures is %i ms', (failures, expected) => {
    expect(backoffMs(failures)).toBe(expected)
  })
})

const at = (ms: number) => new Date(now + ms).toISOString()
const step = (phase: StepAnnotation['phase'], untilMs: number, durationMs?: number): StepAnnotation => ({
  phase,
  operation: 'reconcile',
  attempt: 1,
  until: at(untilMs),
  event: 'e',
  request: '',
  generation: 1,
  was: '',
  ...(durationMs === undefined ? {} : { durationMs }),
})
const hour = 3_600_000
const written = (msAgo: number): StepSeen => ({ at: now - msAgo, written: true })
const found = (msAgo: number): StepSeen => ({ at: now - msAgo, written: false })

describe('the end of a claim or wait', () => {
  test.each<[string, StepAnnotation, StepSeen | undefined, number]>([
    ['a claim seen being written', step('claimed', 75_000, 75_000), written(0), 75_000],
    ['a claim of a clock that is ahead', step('claimed', hour, 75_000), written(10_000), 65_000],
    ['a claim of a clock that is behind', step('claimed', -hour, 75_000), written(10_000), 65_000],
    ['a claim of a clock that is ahead, found', step('claimed', hour, 75_000), found(10_000), 65_000],
    ['a claim of unknown age', step('claimed', 5_000, 75_000), found(0), 75_000],
    ['a claim of a clock that is behind, found', step('claimed', -hour, 75_000), found(0), 75_000],
    ['a claim that does not say how long it lasts', step('claimed', hour), found(0), 75_000],
    ['a claim that says it lasts for a year', step('claimed', hour, 365 * 24 * hour), written(0), 660_000],
    ['an unwatched claim', step('claimed', 30_000, 75_000), undefined, 30_000],
    ['an unwatched claim of a clock that is ahead', step('claimed', hour, 75_000), undefined, 75_000],
    ['a wait seen being written', step('waiting', 30_000, 30_000), written(0), 30_000],
    ['a wait of a clock that is ahead', step('waiting', hour, 30_000), written(10_000), 20_000],
    ['a wait of a clock that is behind', step('waiting', -hour, 30_000), written(10_000), 20_000],
    ['a wait that was found and is over', step('waiting', -1_000, 30_000), found(0), -1_000],
    ['a wait of a clock that is ahead, found', step('waiting', hour, 30_000), found(10_000), 20_000],
    ['a wait that does not say how long it lasts', step('waiting', hour), written(0), hour],
    ['an unwatched wait', step('waiting', hour, 30_000), undefined, hour],
  ])('%s', (_, claim, seen, expected) => {
    expect(stepEnd(claim, now, seen) - now).toBe(expected)
  })
})

describe('the event at an end', () => {
  const object = testObject('DNSRecord', {
    lastOperation: ['Reconcile', 'Processing'],
    step: { phase: 'claimed', until: at(24 * hour), durationMs: 75_000, was: 'x' },
  })
  const facts = factsOf(object)

  test('the event is sent no later than one claim duration after the claim was first seen, also for a deletion', () => {
    expect(dueWorkOf('DNSRecord', facts, now + 74_999, written(0))).toMatchObject({ kind: 'later' })
    expect(dueWorkOf('DNSRecord', facts, now + 75_000, written(0))).toMatchObject({
      kind: 'emit',
      reason: 'expired',
    })
  })

  test('the event is the same on every clock', () => {
    const causes = [
      dueWorkOf('DNSRecord', facts, now),
      dueWorkOf('DNSRecord', facts, now + 75_000, written(0)),
    ]
    expect(causes.map(due => (due.kind === 'none' ? undefined : due.cause))).toEqual([
      expect.stringContaining('expired@'),
      causes[0]?.kind === 'none' ? undefined : causes[0]?.cause,
    ])
  })
})
