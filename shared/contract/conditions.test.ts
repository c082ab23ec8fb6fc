import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import {
  type ConditionUpdate,
  conditionsAfterError,
  conditionsAfterSuccess,
  createdConditionOf,
  initialCondition,
  mergeConditions,
  updatedCondition,
} from './conditions.ts'
import type { Condition } from './schemas/condition.ts'

const before = Date.UTC(2026, 0, 1)
const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const then = '2026-01-01T00:00:00Z'
const later = '2026-01-02T03:04:05Z'

const healthy: Condition = {
  type: 'Healthy',
  status: 'True',
  reason: 'AllGood',
  message: 'all is good',
  lastTransitionTime: then,
  lastUpdateTime: then,
  codes: ['ERR_INFRA_DEPENDENCIES'],
}
const sameCodes = { codes: ['ERR_INFRA_DEPENDENCIES'] } as const

describe('a condition', () => {
  test('a new condition is unknown until the first check', () => {
    expect(initialCondition('Healthy', before)).toEqual({
      type: 'Healthy',
      status: 'Unknown',
      reason: 'ConditionInitialized',
      message: 'The condition has been initialized but its semantic check has not been performed yet.',
      lastTransitionTime: then,
      lastUpdateTime: then,
    })
    expect(updatedCondition('Healthy', undefined, {}, before)).toEqual(initialCondition('Healthy', before))
  })

  test('a new condition has the result of the first check', () => {
    const update = { status: 'False', reason: 'Broken', message: 'it is broken' } as const
    expect(updatedCondition('Healthy', undefined, update, now)).toEqual({
      type: 'Healthy',
      ...update,
      lastTransitionTime: later,
      lastUpdateTime: later,
    })
  })

  test.each<[string, ConditionUpdate, Partial<Condition>]>([
    ['nothing new', { ...sameCodes, status: 'True', reason: 'AllGood', message: 'all is good' }, healthy],
    ['nothing said but the same codes', sameCodes, healthy],
    [
      'another status',
      { ...sameCodes, status: 'False' },
      { status: 'False', lastTransitionTime: later, lastUpdateTime: later },
    ],
    [
      'another reason',
      { ...sameCodes, reason: 'Other' },
      { reason: 'Other', lastTransitionTime: then, lastUpdateTime: later },
    ],
    [
      'another message',
      { ...sameCodes, message: 'other' },
      { message: 'other', lastTransitionTime: then, lastUpdateTime: later },
    ],
    [
      'other codes',
      { codes: ['ERR_INFRA_UNAUTHORIZED'] },
      { codes: ['ERR_INFRA_UNAUTHORIZED'], lastTransitionTime: then, lastUpdateTime: later },
    ],
    [
      'an empty message',
      { ...sameCodes, message: '' },
      { message: 'No message given.', lastUpdateTime: later },
    ],
    ['an empty reason', { ...sameCodes, reason: '' }, { reason: 'Unspecified', lastUpdateTime: later }],
  ])('a condition after %s', (_, update, expected) => {
    expect(updatedCondition('Healthy', healthy, update, now)).toEqual({ ...healthy, ...expected })
  })

  test('a condition inherits no codes', () => {
    const updated = updatedCondition('Healthy', healthy, { status: 'True' }, now)
    expect(updated).not.toHaveProperty('codes')
    expect(updated.lastUpdateTime).toBe(later)
  })
})

describe('a list of conditions', () => {
  test('a list of conditions retains its order: updates replace in place, new types are appended', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(type => initialCondition(type, before)) as [
      Condition,
      Condition,
      Condition,
      Condition,
    ]
    const b2 = { ...b, status: 'True' }
    expect(mergeConditions([a, b, c], [d, b2])).toEqual([a, b2, c, d])
    expect(mergeConditions([], [a])).toEqual([a])
  })
})

const midnight = Date.UTC(2026, 0, 2)
const today = '2026-01-02T00:00:00Z'
const longAgo = '2025-01-01T00:00:00Z'

const record = (conditions?: unknown): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: { name: 'x' },
  ...(conditions === undefined ? {} : { status: { conditions } }),
})
const created = (status: string): Condition => ({
  type: 'Created',
  status,
  reason: 'R',
  message: 'M',
  lastTransitionTime: longAgo,
  lastUpdateTime: longAgo,
})
const other: Condition = { ...created('True'), type: 'Other' }

const afterError = {
  type: 'Created',
  status: 'False',
  reason: 'Error',
  message: 'Error on initial record creation in infrastructure',
  lastTransitionTime: today,
  lastUpdateTime: today,
}
const afterSuccess = {
  type: 'Created',
  status: 'True',
  reason: 'Success',
  message: 'Record was created successfully in infrastructure at least once',
  lastTransitionTime: today,
  lastUpdateTime: today,
}

describe('the Created condition of a DNSRecord', () => {
  test.each<[string, KubernetesObject, unknown, unknown]>([
    ['missing', record(), [afterError], [afterSuccess]],
    ['missing among others', record([other]), [other, afterError], [other, afterSuccess]],
    ['False', record([created('False'), other]), undefined, [afterSuccess, other]],
    ['True', record([created('True')]), undefined, undefined],
    ['malformed', record([{ type: 'Created', status: 7 }]), [afterError], [afterSuccess]],
    ['in no list', record('none'), [afterError], [afterSuccess]],
  ])('a condition that is %s', (_, object, onError, onSuccess) => {
    expect(conditionsAfterError(object, midnight)).toEqual(onError)
    expect(conditionsAfterSuccess(object, midnight)).toEqual(onSuccess)
  })

  test('the condition is found in the status', () => {
    expect(createdConditionOf(record([other, created('False')]))).toEqual(created('False'))
    expect(createdConditionOf(record([other]))).toBeUndefined()
    expect(createdConditionOf(record())).toBeUndefined()
  })
})
