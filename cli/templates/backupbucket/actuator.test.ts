import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSteppedSeed, readExample } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { definition } from './function.ts'

const { object, beside } = await readExample(new URL('example.yaml', import.meta.url))

/** What stands in for the cloud. */
const resource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }

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

test('the bucket is made', async () => {
  const seed = start()
  const { lastOperation, ...status } = await seed.apply()
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(status.observedGeneration, 1)
  assert.deepEqual(await seed.made(), ['bucket-backups-of-the-seed'])
  seed.close()
})

test('an object that did not change costs a claim and a status, and no other write', async () => {
  const seed = start()
  await seed.apply()
  await seed.apply()
  const name = object.metadata.name
  assert.deepEqual(
    new Set(seed.writes()),
    new Set([`patch backupbuckets ${name}`, `patch backupbuckets/status ${name}`]),
  )
  seed.close()
})

test('who dies at any write is followed by one who brings it to its end', async () => {
  for (const when of ['before', 'after'] as const)
    for (let write = 1; write <= 8; write++) {
      const seed = start()
      seed.dieAt(write, when)
      assert.equal((await seed.apply()).lastOperation.state, 'Succeeded')
      assert.deepEqual(await seed.made(), ['bucket-backups-of-the-seed'])
      seed.dieAt(write, when)
      assert.equal(await seed.remove(), undefined)
      seed.close()
    }
})

test('the deletion takes what was made, and nothing else', async () => {
  const seed = start()
  await seed.kubernetes.create(resource, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'other', namespace: 'garden' },
  })
  await seed.apply()
  assert.equal(await seed.remove(), undefined)
  assert.deepEqual(await seed.made(), ['other'])
  seed.close()
})

test('one of the same name that is somebody else’s stays as it is, and the status says so', async () => {
  const seed = start()
  const foreign = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'bucket-backups-of-the-seed', namespace: 'garden' },
  }
  await seed.kubernetes.create(resource, foreign)
  assert.equal((await seed.apply()).lastOperation.state, 'Error')
  await seed.remove()
  assert.deepEqual(await seed.made(), [foreign.metadata.name])
  seed.close()
})
