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

/** The input of the machine controller. */
const resource = {
  group: 'machine.sapcloud.io',
  version: 'v1alpha1',
  plural: 'machinedeployments',
  namespaced: true,
}
const made = ['machinedeployments/shoot--garden--rose-workers-z1']
const cloud = () => objectCloud({ resources: [resource] })

test('the actuator creates a MachineDeployment for each zone of the pool', async () => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  const { lastOperation, ...status } = Object(await seed.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(status.machineDeployments?.length, 1)
  const checked = Object(await seed.check(example.object)).status
  assert.equal(checked.conditions[0].status, 'True', checked.conditions[0].message)
  seed.close()
})

for (const { promise, hold } of functionPromises({ definition, example, cloud, made, marksOwner: false }))
  test(promise, hold)
