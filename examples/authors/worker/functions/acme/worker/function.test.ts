import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createSteppedSeed,
  functionPromises,
  objectCloud,
  readExample,
} from '@trellis-gardener/trellis/testing'
import { definition } from './function.ts'

const example = await readExample(new URL('example.yaml', import.meta.url))

/** The input of the machine controller is the cloud of a Worker. */
const resources = ['machinedeployments', 'machineclasses'].map(plural => ({
  group: 'machine.sapcloud.io',
  version: 'v1alpha1',
  plural,
  namespaced: true,
}))
const cloud = () => objectCloud({ resources })

test('a MachineClass has the network of the Infrastructure and the image of the CloudProfile', async t => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  t.after(() => seed.close())
  const { lastOperation, machineDeployments } = Object(await seed.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(machineDeployments.length, 1)
  const [, classes] = resources
  const { items } = await seed.kubernetes.list(classes ?? assert.fail())
  const { network, image } = Object(items[0]).providerSpec
  assert.deepEqual({ network, image }, { network: 'networks-1', image: 'image-small' })
})

test('a Worker without the data of its Infrastructure is an error', async t => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  t.after(() => seed.close())
  const spec = { ...Object(example.object.spec), infrastructureProviderStatus: undefined }
  const { lastError } = Object(await seed.apply({ ...example.object, spec })).status
  assert.deepEqual(lastError.codes, ['ERR_CONFIGURATION_PROBLEM'])
})

const made = [
  'machinedeployments/shoot--garden--rose-workers-z1',
  'machineclasses/shoot--garden--rose-workers-z1-e49a5',
]
for (const { promise, hold } of functionPromises({ definition, example, cloud, made, marksOwner: false }))
  test(promise, hold)
