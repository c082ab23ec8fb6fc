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
const made = ['configmaps/bastion-cli-abc123']
const foreign = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'other', namespace: 'shoot--garden--rose' },
}
const cloud = () =>
  objectCloud({ resources: [resource], others: [foreign], ownerAnnotation: 'trellis.gardener.cloud/owner' })

test('the actuator creates the machine, and the status has its address', async () => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  const { lastOperation, ...status } = Object(await seed.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.deepEqual(status.ingress, { ip: '203.0.113.22' })
  seed.close()
})

for (const { promise, hold } of functionPromises({ definition, example, cloud, made })) test(promise, hold)
