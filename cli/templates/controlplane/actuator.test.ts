import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSteppedSeed, readExample } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { definition } from './function.ts'

const { object, beside } = await readExample(new URL('example.yaml', import.meta.url))

/** What the resource managers apply. */
const resource = {
  group: 'resources.gardener.cloud',
  version: 'v1alpha1',
  plural: 'managedresources',
  namespaced: true,
}

const start = () => {
  const seed = createSteppedSeed({ definition, objects: beside })
  return {
    ...seed,
    /** Asks for the example, as gardenlet does; resolves to its status. */
    apply: async () => Object(await seed.apply(object)).status,
    remove: () => seed.remove(object),
    made: async () => (await seed.kubernetes.list(resource)).items.map(({ metadata }) => metadata.name),
  }
}

test('the components are handed over', async () => {
  const seed = start()
  const { lastOperation, ...status } = await seed.apply()
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(status.observedGeneration, 1)
  assert.deepEqual(await seed.made(), ['extension-controlplane-seed'])
  seed.close()
})

test('an object that did not change costs a claim and a status, and no other write', async () => {
  const seed = start()
  await seed.apply()
  await seed.apply()
  const name = object.metadata.name
  assert.deepEqual(
    new Set(seed.writes()),
    new Set([`patch controlplanes ${name}`, `patch controlplanes/status ${name}`]),
  )
  seed.close()
})

test('who dies at any write is followed by one who brings it to its end', async () => {
  for (const when of ['before', 'after'] as const)
    for (let write = 1; write <= 8; write++) {
      const seed = start()
      seed.dieAt(write, when)
      assert.equal((await seed.apply()).lastOperation.state, 'Succeeded')
      assert.deepEqual(await seed.made(), ['extension-controlplane-seed'])
      seed.dieAt(write, when)
      assert.equal(await seed.remove(), undefined)
      seed.close()
    }
})

test('the deletion takes what was made, and nothing else', async () => {
  const seed = start()
  await seed.kubernetes.create(resource, {
    apiVersion: 'resources.gardener.cloud/v1alpha1',
    kind: 'ManagedResource',
    metadata: { name: 'other', namespace: 'shoot--garden--rose' },
    spec: { secretRefs: [{ name: 'other' }] },
  })
  await seed.apply()
  assert.equal(await seed.remove(), undefined)
  assert.deepEqual(await seed.made(), ['other'])
  seed.close()
})
