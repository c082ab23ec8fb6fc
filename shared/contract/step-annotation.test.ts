import { describe, expect, test } from 'vitest'
import { formatStepAnnotation, parseStepAnnotation, type StepAnnotation } from './step-annotation.ts'

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
  test('is the same text for equal steps, whatever the order of their fields', () => {
    const { phase, ...rest } = step
    expect(formatStepAnnotation({ ...rest, phase })).toBe(formatStepAnnotation(step))
  })

  test.each(['claimed', 'waiting'] as const)('comes back as it was written: %s', phase => {
    expect(parseStepAnnotation(formatStepAnnotation({ ...step, phase }))).toEqual({ ...step, phase })
  })

  test('of a claim says what ends it, so that it is true after a success, too', () => {
    const text = formatStepAnnotation({ ...step, phase: 'claimed' })
    expect(text).not.toContain('running')
    expect(JSON.parse(text)).toMatchObject({
      phase: 'claimed',
      ends: 'when lastOperation is Succeeded, else at until',
    })
    expect(formatStepAnnotation(step)).not.toContain('ends')
  })

  test('of an earlier release is a claim where it says that a step is running', () => {
    expect(parseStepAnnotation(JSON.stringify({ ...step, phase: 'running' }))).toEqual({
      ...step,
      phase: 'claimed',
    })
  })

  test('holds no field that is not part of it', () => {
    const more = { ...step, secret: 'x' }
    expect(formatStepAnnotation(more)).not.toContain('secret')
    expect(parseStepAnnotation(JSON.stringify(more))).toEqual(step)
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
  ])('that is %s counts as none', (_, annotation) => {
    expect(parseStepAnnotation(annotation)).toBeUndefined()
  })
})
