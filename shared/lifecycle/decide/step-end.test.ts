import { describe, expect, test } from 'vitest'
import type { StepAnnotation } from '../../contract/step-annotation.ts'
import { testNow as now, testObject } from '../testing/test-objects.ts'
import { dueWorkOf } from './due-work.ts'
import { factsOf } from './facts.ts'
import { type StepSeen, stepEnd } from './step-end.ts'

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

describe('the end of', () => {
  test.each<[string, StepAnnotation, StepSeen | undefined, number]>([
    ['a claim seen being written', step('claimed', 75_000, 75_000), written(0), 75_000],
    ['a claim of a clock that is ahead', step('claimed', hour, 75_000), written(10_000), 65_000],
    ['a claim of a clock that is behind', step('claimed', -hour, 75_000), written(10_000), 65_000],
    ['a claim of a clock that is ahead, found', step('claimed', hour, 75_000), found(10_000), 65_000],
    [
      'a claim that was found, of which nobody knows how old it is',
      step('claimed', 5_000, 75_000),
      found(0),
      75_000,
    ],
    ['a claim of a clock that is behind, found', step('claimed', -hour, 75_000), found(0), 75_000],
    ['a claim that does not say how long it lasts', step('claimed', hour), found(0), 75_000],
    ['a claim that says it lasts for a year', step('claimed', hour, 365 * 24 * hour), written(0), 660_000],
    ['a claim that nobody watches', step('claimed', 30_000, 75_000), undefined, 30_000],
    [
      'a claim of a clock that is ahead, that nobody watches',
      step('claimed', hour, 75_000),
      undefined,
      75_000,
    ],
    ['a wait seen being written', step('waiting', 30_000, 30_000), written(0), 30_000],
    ['a wait of a clock that is ahead', step('waiting', hour, 30_000), written(10_000), 20_000],
    ['a wait of a clock that is behind', step('waiting', -hour, 30_000), written(10_000), 20_000],
    ['a wait that was found and is over', step('waiting', -1_000, 30_000), found(0), -1_000],
    ['a wait of a clock that is ahead, found', step('waiting', hour, 30_000), found(10_000), 20_000],
    ['a wait that does not say how long it lasts', step('waiting', hour), written(0), hour],
    ['a wait that nobody watches', step('waiting', hour, 30_000), undefined, hour],
  ])('%s', (_, claim, seen, expected) => {
    expect(stepEnd(claim, now, seen) - now).toBe(expected)
  })
})

describe('what the bridge sends at an end', () => {
  const object = testObject('DNSRecord', {
    lastOperation: ['Reconcile', 'Processing'],
    step: { phase: 'claimed', until: at(24 * hour), durationMs: 75_000, was: 'x' },
  })
  const facts = factsOf(object)

  test('comes no later than a claim can last after it was first seen, also for a deletion', () => {
    expect(dueWorkOf('DNSRecord', facts, now + 74_999, written(0))).toMatchObject({ kind: 'later' })
    expect(dueWorkOf('DNSRecord', facts, now + 75_000, written(0))).toMatchObject({
      kind: 'emit',
      reason: 'expired',
    })
  })

  test('is the same event, whatever the clock of whoever works it out', () => {
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
