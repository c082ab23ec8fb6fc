import { describe, expect, test } from 'vitest'
import {
  formatStepAnnotation,
  longestRemembered,
  parseStepAnnotation,
  type StepAnnotation,
} from './step-annotation.ts'

const step: StepAnnotation = {
  phase: 'waiting',
  operation: 'reconcile',
  attempt: 2,
  until: '2026-11-21T02:58:25.209Z',
  event: 'e-1',
  request: 'reconcile@2026-11-21T02:58:20.1Z',
  generation: 3,
  was: 'Create/Succeeded/2026-11-21T02:58:00Z',
}

describe('the step annotation', () => {
  test('equal steps have the same text, whatever the order of their fields', () => {
    const { phase, ...rest } = step
    expect(formatStepAnnotation({ ...rest, phase })).toBe(formatStepAnnotation(step))
  })

  test.each(['claimed', 'waiting'] as const)('a step is read as it was written: %s', phase => {
    expect(parseStepAnnotation(formatStepAnnotation({ ...step, phase }))).toEqual({ ...step, phase })
  })

  test('the wait after a success is read as it was written', () => {
    const wait = { ...step, claimedUntil: '2026-11-21T02:58:40.000Z' }
    expect(parseStepAnnotation(formatStepAnnotation(wait))).toEqual(wait)
  })

  test('the text of a claim says what ends it, which stays true after a success', () => {
    const text = formatStepAnnotation({ ...step, phase: 'claimed' })
    expect(text).not.toContain('running')
    expect(JSON.parse(text)).toMatchObject({
      phase: 'claimed',
      ends: 'when lastOperation is Succeeded, else at until',
    })
    expect(formatStepAnnotation(step)).not.toContain('ends')
  })

  test('a running step of an earlier release is a claim', () => {
    expect(parseStepAnnotation(JSON.stringify({ ...step, phase: 'running' }))).toEqual({
      ...step,
      phase: 'claimed',
    })
  })

  test('the annotation has no unknown fields', () => {
    const more = { ...step, secret: 'x' }
    expect(formatStepAnnotation(more)).not.toContain('secret')
    expect(parseStepAnnotation(JSON.stringify(more))).toEqual(step)
  })

  test('the annotation of an earlier version is read without the later fields', () => {
    const { phase, operation, attempt, until, event } = step
    expect(parseStepAnnotation(JSON.stringify({ phase, operation, attempt, until, event }))).toEqual({
      phase,
      operation,
      attempt,
      until,
      event,
      request: '',
      generation: 0,
      was: '',
    })
  })

  test('the annotation of a later version is read, and written without unknown fields', () => {
    const later = JSON.stringify({ ...step, priority: 'high', shares: [1], ends: 'some day' })
    const read = parseStepAnnotation(later)
    expect(read).toEqual(step)
    expect(formatStepAnnotation(read ?? step)).not.toContain('priority')
  })

  test('the annotation is under 2 KiB, whatever others wrote', () => {
    const text = 'x'.repeat(longestRemembered)
    const longest = { ...step, event: text, request: text, was: text, metadataHash: text, waitsFor: text }
    const { until } = step
    const times = { durationMs: 660_000, waitsSince: until, claimedUntil: until }
    const more = { ...times, phase: 'claimed', forcedMs: Number.MAX_SAFE_INTEGER } as const
    expect(formatStepAnnotation({ ...longest, ...more }).length).toBeLessThan(2_048)
    expect(parseStepAnnotation(formatStepAnnotation({ ...longest, event: `${text}x` }))).toBeUndefined()
  })

  test.each<[string, string | undefined]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['no JSON', '{phase}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an unknown phase', JSON.stringify({ ...step, phase: 'done' })],
    ['an unknown operation', JSON.stringify({ ...step, operation: 'continue' })],
    ['a time that is none', JSON.stringify({ ...step, until: 'soon' })],
    ['a negative attempt', JSON.stringify({ ...step, attempt: -1 })],
    ['no event', JSON.stringify({ ...step, event: undefined })],
  ])('an annotation that is %s is ignored', (_, annotation) => {
    expect(parseStepAnnotation(annotation)).toBeUndefined()
  })
})
