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
const resource = {
  group: 'resources.gardener.cloud',
  version: 'v1alpha1',
  plural: 'managedresources',
  namespaced: true,
}
const made = ['managedresources/extension-acme']
const cloud = () => objectCloud({ resources: [resource] })

test('the status lists the Secret, so that it moves with the shoot', async () => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  const { lastOperation, resources } = Object(await seed.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(resources[0].resourceRef.name, 'ref-rose-token')
  const checked = Object(await seed.check(example.object)).status
  assert.equal(checked.conditions[0].status, 'True', checked.conditions[0].message)
  seed.close()
})

test('a missing reference is reported to the user', async () => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  const spec = { ...Object(example.object.spec), providerConfig: {} }
  const { lastError } = Object(await seed.apply({ ...example.object, spec })).status
  assert.deepEqual(lastError.codes, ['ERR_CONFIGURATION_PROBLEM'])
  assert.match(lastError.description, /set secretRef to a name in spec.resources/)
  seed.close()
})

for (const { promise, hold } of functionPromises({ definition, example, cloud, made, marksOwner: false }))
  test(promise, hold)
