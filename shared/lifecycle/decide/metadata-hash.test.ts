import { expect, test } from 'vitest'
import { annotations } from '../../contract/constants.ts'
import type { KubernetesObject, ObjectMeta } from '../../kubernetes/port.ts'
import { metadataHashOf } from './metadata-hash.ts'

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
])('is another one when %s', (_, metadata) => {
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
])('stays the same when %s', (_, metadata) => {
  expect(metadataHashOf(object(metadata, { phase: 'x' }))).toBe(before)
})
