import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  createSteppedSeed,
  functionPromises,
  objectCloud,
  readExample,
} from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { definition } from './function.ts'

const example = await readExample(new URL('example.yaml', import.meta.url))

/** The object that the resource manager applies to the shoot. */
const resource = {
  group: 'resources.gardener.cloud',
  version: 'v1alpha1',
  plural: 'managedresources',
  namespaced: true,
}
const made = ['managedresources/extension-acme']
const foreign = {
  apiVersion: 'resources.gardener.cloud/v1alpha1',
  kind: 'ManagedResource',
  metadata: { name: 'other', namespace: 'shoot--garden--rose' },
  spec: { secretRefs: [{ name: 'other' }] },
}
const cloud = () => objectCloud({ resources: [resource], others: [foreign] })

test('the actuator creates the ManagedResource with its objects', async () => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  const { lastOperation, ...status } = Object(await seed.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(status.observedGeneration, 1)
  const checked = Object(await seed.check(example.object)).status
  assert.equal(checked.conditions[0].status, 'True', checked.conditions[0].message)
  seed.close()
})

for (const { promise, hold } of functionPromises({ definition, example, cloud, made, marksOwner: false }))
  test(promise, hold)
