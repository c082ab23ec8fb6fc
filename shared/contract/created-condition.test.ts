import { describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../kubernetes/port.ts'
import { conditionsAfterError, conditionsAfterSuccess, createdConditionOf } from './created-condition.ts'
import type { Condition } from './schemas/condition.ts'

const now = Date.UTC(2026, 0, 2)
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
  it.each<[string, KubernetesObject, unknown, unknown]>([
    ['missing', record(), [afterError], [afterSuccess]],
    ['missing among others', record([other]), [other, afterError], [other, afterSuccess]],
    ['False', record([created('False'), other]), undefined, [afterSuccess, other]],
    ['True', record([created('True')]), undefined, undefined],
    ['malformed', record([{ type: 'Created', status: 7 }]), [afterError], [afterSuccess]],
    ['in no list', record('none'), [afterError], [afterSuccess]],
  ])('that is %s', (_, object, onError, onSuccess) => {
    expect(conditionsAfterError(object, now)).toEqual(onError)
    expect(conditionsAfterSuccess(object, now)).toEqual(onSuccess)
  })

  it('is found in the status', () => {
    expect(createdConditionOf(record([other, created('False')]))).toEqual(created('False'))
    expect(createdConditionOf(record([other]))).toBeUndefined()
    expect(createdConditionOf(record())).toBeUndefined()
  })
})
