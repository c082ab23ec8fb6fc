import { expect, test } from 'vitest'
import { checkedPatch } from './secondary-write.ts'

const own = 'secondary.trellis.gardener.cloud/acme-audit'
const theirs = { type: 'ControlPlaneHealthy', status: 'True' }
const object = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'ControlPlane',
  metadata: { name: 'a', namespace: 'shoot--a--b', finalizers: ['extensions.gardener.cloud/controlplane'] },
  status: { conditions: [theirs, { malformed: true }] },
}
const check = (patch: object) => checkedPatch(patch, { name: 'acme-audit', conditions: ['Audit'], object })
const kept = [theirs, { malformed: true }]

test('the own annotation, finalizer and conditions may be written', () => {
  const metadata = { uid: 'u', resourceVersion: '1', annotations: { [own]: '{}' } }
  const { finalizers } = object.metadata
  expect(check({ metadata: { ...metadata, finalizers: [...finalizers, own] } })).toBeDefined()
  expect(check({ metadata, status: { conditions: [...kept, { type: 'Audit' }] } })).toBeDefined()
})

test.each<[string, object]>([
  ['spec', { spec: { type: 'other' } }],
  ['status.lastOperation', { status: { lastOperation: { state: 'Succeeded' } } }],
  ['status.lastError', { status: { lastError: null } }],
  ['status.state', { status: { state: {} } }],
  ['status.providerStatus', { status: { providerStatus: {} } }],
  ['status.observedGeneration', { status: { observedGeneration: 1 } }],
  [
    'the annotation gardener.cloud/operation',
    { metadata: { annotations: { 'gardener.cloud/operation': null } } },
  ],
  [
    'the annotation trellis.gardener.cloud/step',
    { metadata: { annotations: { 'trellis.gardener.cloud/step': '' } } },
  ],
  ['the finalizers of others', { metadata: { finalizers: [own] } }],
  ['metadata.labels', { metadata: { labels: {} } }],
  ['the conditions of others', { status: { conditions: [{ type: 'Audit' }] } }],
  ['the conditions of others', { status: { conditions: [{ ...theirs, status: 'False' }, kept[1]] } }],
  ['the conditions of others', { status: { conditions: null } }],
])('a write of %s is refused with the object', (field, patch) => {
  expect(() => check(patch)).toThrow(
    `a secondary function must not write ${field} of ControlPlane shoot--a--b/a: it belongs to the primary controller`,
  )
})
