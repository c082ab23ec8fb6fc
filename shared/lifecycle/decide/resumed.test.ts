import { expect, test } from 'vitest'
import type { StepAnnotation } from '../../contract/step-annotation.ts'
import type { Facts } from './facts.ts'
import { isResumed } from './resumed.ts'

const step: StepAnnotation = {
  phase: 'waiting',
  operation: 'reconcile',
  attempt: 0,
  until: '2026-11-21T00:00:00.000Z',
  event: 'e',
  request: 'reconcile@1',
  generation: 2,
  was: '',
}
const continued: Facts = {
  uid: 'u',
  generation: 2,
  resourceVersion: '1',
  provider: 'aws',
  extensionClass: 'shoot',
  requested: undefined,
  timestamp: '',
  deletionTimestamp: undefined,
  finalizers: [],
  lastOperation: { type: 'Create', state: 'Processing', lastUpdateTime: '' },
  step,
  metadataHash: undefined,
}
const request = (id: string) => ({ operation: 'delete', id }) as const

test.each<[string, Facts, ReturnType<typeof request> | undefined, boolean]>([
  ['after a continue', continued, undefined, true],
  ['after a continue of what still stands', continued, request('reconcile@1'), true],
  ['after something new was asked for', continued, request('delete@2'), false],
  ['after a change of the spec', { ...continued, generation: 3 }, undefined, false],
  ['after a crash', { ...continued, step: { ...step, phase: 'claimed' } }, undefined, false],
  [
    'after an error',
    { ...continued, lastOperation: { type: 'Create', state: 'Error', lastUpdateTime: '' } },
    undefined,
    false,
  ],
  ['for the first time', { ...continued, step: undefined, lastOperation: undefined }, undefined, false],
])('a step is resumed only after a continue, when nothing is new: %s', (_, facts, asked, resumed) => {
  expect(isResumed(facts, asked)).toBe(resumed)
})
