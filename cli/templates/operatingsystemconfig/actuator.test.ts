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

/** The Secrets with user data. */
const resource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
const made = ['secrets/osc-result-workers-init']
const cloud = () => objectCloud({ resources: [resource] })

test('the user data is in a Secret that the status names', async () => {
  const seed = createSteppedSeed({ definition, objects: example.beside })
  const { lastOperation, ...status } = Object(await seed.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(status.cloudConfig.secretRef.name, 'osc-result-workers-init')
  seed.close()
})

for (const { promise, hold } of functionPromises({ definition, example, cloud, made, marksOwner: false }))
  test(promise, hold)
