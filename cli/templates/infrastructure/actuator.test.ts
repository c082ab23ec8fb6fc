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

/** The ConfigMaps that simulate the cloud. */
const resource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const made = ['configmaps/network-rose']
const foreign = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'other', namespace: 'shoot--garden--rose' },
}
const cloud = () =>
  objectCloud({ resources: [resource], others: [foreign], ownerAnnotation: 'trellis.gardener.cloud/owner' })

test('the actuator creates the network, and the status has the data for Worker and ControlPlane', async () => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  const { lastOperation, ...status } = Object(await seed.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(status.nodesCIDR, '10.250.0.0/16')
  assert.deepEqual(status.state, { network: 'network-rose' })
  seed.close()
})

for (const { promise, hold } of functionPromises({ definition, example, cloud, made })) test(promise, hold)
