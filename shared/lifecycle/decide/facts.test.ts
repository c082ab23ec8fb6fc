import { expect, test } from 'vitest'
import { annotations } from '../../contract/constants.ts'
import type { StepAnnotation } from '../../contract/step-annotation.ts'
import type { KubernetesObject, ObjectMeta } from '../../kubernetes/kubernetes.ts'
import type { Facts } from './facts.ts'
import { isResumed, metadataHashOf } from './facts.ts'

const object = (metadata: Partial<ObjectMeta>, status?: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'K',
  metadata: {
    name: 'it',
    labels: { a: '1', b: '2' },
    annotations: { 'x/a': '1', [annotations.timestamp]: 't', [annotations.step]: 's' },
    ...metadata,
  },
  ...(status === undefined ? {} : { status }),
})
const before = metadataHashOf(object({}))

test.each<[string, Partial<ObjectMeta>]>([
  ['a label is changed', { labels: { a: '1', b: '3' } }],
  ['a label is taken away', { labels: { a: '1' } }],
  ['an annotation is added', { annotations: { 'x/a': '1', 'x/b': '', [annotations.timestamp]: 't' } }],
  ['gardenlet writes a newer timestamp', { annotations: { 'x/a': '1', [annotations.timestamp]: 'u' } }],
  ['an owner is added', { ownerReferences: [{ uid: 'o' }] }],
])('the fact differs when %s', (_, metadata) => {
  expect(metadataHashOf(object(metadata))).not.toBe(before)
})

test.each<[string, Partial<ObjectMeta>]>([
  [
    'the step is claimed or waits',
    { annotations: { 'x/a': '1', [annotations.timestamp]: 't', [annotations.step]: 'x' } },
  ],
  [
    'the operation is consumed',
    { annotations: { [annotations.operation]: 'x', 'x/a': '1', [annotations.timestamp]: 't' } },
  ],
  ['a finalizer goes', { finalizers: [] }],
  ['the version moves on', { resourceVersion: '9', generation: 3, managedFields: [{}] }],
  ['labels come in another order', { labels: { b: '2', a: '1' } }],
])('the fact is the same when %s', (_, metadata) => {
  expect(metadataHashOf(object(metadata, { phase: 'x' }))).toBe(before)
})

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
  pause: undefined,
  metadataHash: undefined,
}
const request = (id: string) => ({ operation: 'delete', id }) as const

test.each<[string, Facts, ReturnType<typeof request> | undefined, boolean]>([
  ['after a continue', continued, undefined, true],
  ['after a continue of what still stands', continued, request('reconcile@1'), true],
  ['after something new was asked for', continued, request('delete@2'), false],
  ['after a change of the spec', { ...continued, generation: 3 }, undefined, false],
  ['after an interruption', { ...continued, step: { ...step, interrupted: true } }, undefined, false],
  ['after a crash', { ...continued, step: { ...step, phase: 'claimed' } }, undefined, false],
  [
    'after an error',
    { ...continued, lastOperation: { type: 'Create', state: 'Error', lastUpdateTime: '' } },
    undefined,
    false,
  ],
  ['for the first time', { ...continued, step: undefined, lastOperation: undefined }, undefined, false],
])('a step is resumed only after a continue without any news: %s', (_, facts, asked, resumed) => {
  expect(isResumed(facts, asked)).toBe(resumed)
})
