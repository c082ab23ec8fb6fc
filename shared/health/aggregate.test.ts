import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../contract/constants.ts'
import { aggregate, type CheckOutcome, type FormerCondition } from './aggregate.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const fine: CheckOutcome = { kind: 'successful' }
const bad = (detail: string, ...codes: ErrorCode[]): CheckOutcome => ({ kind: 'unsuccessful', detail, codes })
const slow = (thresholdMs: number | undefined, detail = 'slow'): CheckOutcome => ({
  kind: 'progressing',
  detail,
  codes: [],
  thresholdMs,
})
const lost = (detail: string): CheckOutcome => ({ kind: 'not run', detail })
const was = (status: string, agoMs = 0): FormerCondition => ({
  status,
  lastTransitionTime: new Date(now - agoMs).toISOString(),
})

test('texts are numbered in the order of the checks, each with one dot, and codes appear once', () => {
  const outcomes = [bad('b.', 'ERR_INFRA_DEPENDENCIES'), fine, bad('a', 'ERR_INFRA_DEPENDENCIES')]
  expect(aggregate(outcomes, undefined, now)).toEqual({
    status: 'False',
    reason: 'HealthCheckUnsuccessful',
    message: '1) b. 2) a.',
    codes: ['ERR_INFRA_DEPENDENCIES'],
  })
})

test('a foreign text is cut to 4,000 characters, never within a character', () => {
  const { message = '' } = aggregate([bad(`${'x'.repeat(3_999)}😀`)], undefined, now)
  expect(message).toBe(`${'x'.repeat(3_999)}\ufffd….`)
})

test('a failed check comes first and makes the condition Unknown without codes', () => {
  const outcomes = [bad('a', 'ERR_INFRA_DEPENDENCIES'), lost('x'), slow(1), lost('y')]
  expect(aggregate(outcomes, undefined, now)).toEqual({
    status: 'Unknown',
    reason: 'ConditionCheckError',
    message:
      'failed to execute 2 health checks: Unable to execute checks: 1) x. 2) y. Failed check: a. Progressing check: slow.',
  })
})

describe('progressing checks', () => {
  test.each<[string, FormerCondition | undefined, number | undefined, string]>([
    ['after nothing', undefined, 1_000, 'Progressing'],
    ['after True, however long ago', was('True', 99_000), 1_000, 'Progressing'],
    ['within its threshold', was('Progressing', 1_000), 1_000, 'Progressing'],
    ['after Unknown within its threshold', was('Unknown', 1_000), 1_000, 'Progressing'],
    ['for longer', was('Progressing', 1_001), 1_000, 'False'],
    ['after False', was('False'), 1_000, 'False'],
    ['without a threshold', was('True'), undefined, 'False'],
  ])('%s', (_, old, thresholdMs, status) => {
    expect(aggregate([fine, slow(thresholdMs)], old, now).status).toBe(status)
  })

  test('progressing checks have the smallest threshold', () => {
    const outcomes = [slow(60_000), slow(1_000)]
    expect(aggregate(outcomes, was('Progressing', 2_000), now)).toMatchObject({
      status: 'False',
      reason: 'HealthCheckUnsuccessful',
      message: '1) slow. 2) slow.',
    })
  })

  test('progress beside a failure counts as a failure at once', () => {
    expect(aggregate([slow(60_000), bad('a')], was('True'), now)).toMatchObject({
      status: 'False',
      message: 'Failed check: a. Progressing check: slow.',
    })
  })
})
