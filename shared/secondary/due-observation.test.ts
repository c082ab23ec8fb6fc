import { expect, test } from 'vitest'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { dueWork, metadataHashOf } from '../lifecycle/lifecycle.ts'
import { dueObservation } from './due-observation.ts'
import { formatRecord, markOf, type SecondaryRecord } from './secondary-record.ts'

const name = 'acme-audit'
const mark = markOf(name)
const last = (type: string, state: string, second = 1) => ({
  lastOperation: {
    type,
    state,
    progress: 100,
    description: '',
    lastUpdateTime: `2026-11-21T12:00:0${second}Z`,
  },
})
const seen: SecondaryRecord = {
  phase: 'observed',
  operation: 'observe',
  uid: 'u',
  generation: 1,
  success: 'Create/2026-11-21T12:00:01Z',
  cleans: true,
  attempt: 0,
  event: 'e',
}
const waiting = { phase: 'waiting', attempt: 2, until: '2026-11-21T12:00:08Z', durationMs: 2_000 } as const

interface Given {
  readonly record?: Partial<SecondaryRecord>
  readonly status?: object
  readonly metadata?: Partial<KubernetesObject['metadata']>
}

const objectOf = ({
  record,
  status = last('Create', 'Succeeded'),
  metadata = {},
}: Given): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'ControlPlane',
  metadata: {
    name: 'a',
    namespace: 'shoot--a--b',
    uid: 'u',
    generation: 1,
    finalizers: [mark],
    ...metadata,
    annotations: {
      ...(record && { [mark]: formatRecord({ ...seen, ...record }) }),
      ...metadata.annotations,
    },
  },
  spec: { type: 'acme' },
  status,
})
const inWords = (given: Given, kind: 'ControlPlane' | 'Bastion' = 'ControlPlane') => {
  const due = dueObservation(kind, objectOf(given), name)
  return due.kind === 'none' ? 'none' : `${due.kind} ${due.operation} ${due.reason} ${due.attempt}`
}
const deletionTimestamp = '2026-11-21T12:00:05Z'
const asks = (operation: string) => ({ annotations: { 'gardener.cloud/operation': operation } })
const unheld = { finalizers: [] }

test.each<[string, Given, string]>([
  ['a new object', {}, 'emit observe created 0'],
  ['an observed object', { record: {} }, 'none'],
  ['progress of the primary', { record: {}, status: last('Reconcile', 'Processing', 3) }, 'none'],
  ['an error of the primary', { record: {}, status: last('Reconcile', 'Error', 3) }, 'none'],
  ['the next success', { record: {}, status: last('Reconcile', 'Succeeded', 4) }, 'emit observe succeeded 0'],
  ['a new spec', { record: {}, metadata: { generation: 2 } }, 'emit observe changed 0'],
  ['a record of another object', { record: { uid: 'other' } }, 'emit observe created 0'],
  ['a malformed record', { metadata: { annotations: { [mark]: '{' } } }, 'emit observe created 0'],
  ['a running step', { record: { ...waiting, phase: 'claimed' } }, 'later observe expired 2'],
  ['a failed step', { record: waiting }, 'later observe retry 2'],
  ['a step that continues', { record: { ...waiting, attempt: 0 } }, 'later observe due 0'],
  ['a new spec after a failure', { record: waiting, metadata: { generation: 2 } }, 'emit observe changed 0'],
  ['a restore that waits for its state', { metadata: asks('wait-for-state') }, 'none'],
  ['a deletion', { record: {}, metadata: { deletionTimestamp } }, 'emit delete deletion 0'],
  [
    'a deletion without a finalizer',
    { record: { cleans: false }, metadata: { deletionTimestamp, ...unheld } },
    'none',
  ],
  [
    'a deletion of a lost finalizer',
    { record: {}, metadata: { deletionTimestamp, ...unheld } },
    'emit delete deletion 0',
  ],
  ['a deletion of an unseen object', { metadata: { deletionTimestamp, ...unheld } }, 'none'],
  [
    'a failed clean-up',
    { record: { ...waiting, operation: 'delete' }, metadata: { deletionTimestamp } },
    'later delete retry 2',
  ],
  [
    'a done clean-up',
    { record: { operation: 'delete' }, metadata: { deletionTimestamp, ...unheld } },
    'none',
  ],
  ['a requested migration', { record: {}, metadata: asks('migrate') }, 'emit migrate migration 0'],
  ['a running migration', { record: {}, status: last('Migrate', 'Processing') }, 'emit migrate migration 0'],
  [
    'a migration whose primary has dropped all finalizers',
    { record: {}, status: last('Migrate', 'Succeeded'), metadata: unheld },
    'emit migrate migration 0',
  ],
  [
    'a migrated object',
    { record: { operation: 'migrate' }, status: last('Migrate', 'Succeeded'), metadata: unheld },
    'none',
  ],
  [
    'the deletion of a migrated object',
    {
      record: { operation: 'migrate' },
      status: last('Migrate', 'Succeeded'),
      metadata: { ...unheld, deletionTimestamp },
    },
    'none',
  ],
  [
    'a restore in the same seed',
    { record: { operation: 'migrate' }, status: last('Migrate', 'Succeeded'), metadata: asks('restore') },
    'emit observe created 0',
  ],
])('%s', (_, given, expected) => {
  expect(inWords(given)).toBe(expected)
})

test('a kind that cannot migrate is observed', () => {
  expect(inWords({ record: {}, metadata: asks('migrate') }, 'Bastion')).toBe('none')
})

test('writes of a secondary function are no work for the primary function, also while the object is deleted', () => {
  const step = (metadataHash: string) =>
    JSON.stringify({
      ...waiting,
      operation: 'delete',
      event: 'e',
      request: `delete@${deletionTimestamp}@`,
      generation: 1,
      metadataHash,
    })
  const finalizers = ['extensions.gardener.cloud/controlplane']
  const now = Date.parse('2026-11-21T12:00:06Z')
  const object = objectOf({ metadata: { deletionTimestamp, finalizers }, status: last('Delete', 'Error') })
  const withStep = (changes: object) => {
    const { metadata } = object
    const annotations = { ...changes, 'trellis.gardener.cloud/step': step(metadataHashOf(object)) }
    return dueWork('ControlPlane', { ...object, metadata: { ...metadata, annotations } }, now)
  }
  const before = withStep({})
  expect(withStep({ [mark]: formatRecord(seen) })).toEqual(before)
  expect(withStep({ 'a.user/touches': 'it' })).not.toEqual(before)
})
