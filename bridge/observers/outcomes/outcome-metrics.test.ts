import { expect, test } from 'vitest'
import { createMetrics } from '../../../shared/runtime/runtime.ts'
import type { EndedStep } from '../bridge-event.ts'
import { createOutcomeMetrics } from './outcome-metrics.ts'

const step: EndedStep = {
  kind: 'Infrastructure',
  object: 'shoot--foo--bar/x',
  uid: 'u',
  provider: 'aws',
  operation: 'reconcile',
  outcome: 'failed',
  codes: [],
  description: '',
  attempt: 1,
  tookMs: undefined,
  requestMs: undefined,
}

const counted = async (steps: readonly Partial<EndedStep>[]) => {
  const metrics = createMetrics()
  const outcomes = createOutcomeMetrics(metrics, { now: () => 0 })
  for (const fields of steps) outcomes.event({ type: 'ended', ...step, ...fields })
  const { text } = await metrics.render()
  const lines = (name: string) => [...text.matchAll(new RegExp(`^${name}\\{.*$`, 'gm'))].map(([line]) => line)
  return { steps: lines('trellis_object_steps_total'), errors: lines('trellis_object_errors_total') }
}

test('invented types share one series, however many they are', async () => {
  const { steps } = await counted(
    Array.from({ length: 300 }, (_, index) => ({ provider: `made-up-${index}` })),
  )
  expect(steps).toHaveLength(101)
  expect(steps.at(-1)).toMatch(/provider="other",.*\} 200$/)
})

test('a label is an error code of Gardener, `other` for an unknown code, or `none`', async () => {
  const { errors } = await counted([{ codes: ['ERR_INFRA_UNAUTHORIZED', 'ERR_MADE_UP'] }, {}])
  expect(errors.map(line => /code="(\w+)"/.exec(line)?.[1])).toEqual([
    'ERR_INFRA_UNAUTHORIZED',
    'other',
    'none',
  ])
})
