import { describe, expect, test } from 'vitest'
import { extensionOf, extensionSeed } from '../../testing/extension-seed.ts'
import { definition } from './function.ts'

const account = [
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name: 'local-ext-seed',
      namespace: 'shoot--foo--bar',
      labels: { 'app.kubernetes.io/name': 'local-ext-seed' },
    },
    automountServiceAccountToken: false,
  },
]
const forced = { metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } } }

const made = async (...options: Parameters<typeof extensionSeed>[1][]) => {
  const seed = await extensionSeed(definition, ...options)
  await seed.converge()
  return seed
}

describe('a reconcile', () => {
  test('creates an account in the seed, and waits until it is healthy', async () => {
    const seed = await extensionSeed(definition, { treatment: 'unhealthy' })
    await seed.step()
    expect((await seed.status()).lastOperation).toMatchObject({ state: 'Processing', progress: 50 })
    expect(await seed.managedResources()).toEqual([
      {
        name: 'local-ext-seed',
        isDeleting: false,
        spec: { class: 'seed', keepObjects: false, secretRefs: 1 },
        objects: account,
      },
    ])
    seed.treat('apply')
    await seed.converge()
    expect((await seed.status()).lastOperation).toMatchObject({ type: 'Create', state: 'Succeeded' })
  })

  test('that waits for more than two minutes fails with the reason and is retried', async () => {
    const seed = await made({ treatment: 'unhealthy' })
    expect((await seed.status()).lastError.description).toContain(
      'could not wait for managed resource local-ext-seed to be healthy: retry failed with context deadline exceeded',
    )
    expect((await seed.status()).lastError.description).toContain('Deployment x has no replicas')
    const spent = seed.clock.now() - Date.parse('2026-11-21T12:00:00Z')
    expect(spent).toBeGreaterThanOrEqual(120_000)
    expect(spent).toBeLessThan(180_000)
  })

  test('without changes reads three objects and writes only to its own', async () => {
    const seed = await made()
    await seed.ask('reconcile')
    seed.requests.splice(0)
    await seed.converge()
    expect(seed.requests).toEqual([
      'get extensions local-ext-seed',
      'get clusters shoot--foo--bar',
      'patch extensions local-ext-seed',
      'patch extensions/status local-ext-seed',
      'get managedresources local-ext-seed',
      // The time when it is due again.
      'patch extensions local-ext-seed',
      'patch extensions/status local-ext-seed',
    ])
  })

  test('is repeated after an hour', async () => {
    const seed = await made()
    expect(await seed.dueAfter()).toBe(60 * 60_000)
  })

  test('of a seed’s object needs no Cluster', async () => {
    const seed = await made({ object: extensionOf(definition, 'seed'), cluster: null })
    expect((await seed.status()).lastOperation.state).toBe('Succeeded')
    expect(await seed.managedResources()).toHaveLength(1)
  })

  test('ignores objects of a garden', async () => {
    const seed = await extensionSeed(definition, { object: extensionOf(definition, 'garden'), cluster: null })
    await seed.step()
    expect(await seed.status()).toEqual({})
    expect(seed.takeWrites()).toEqual([])
  })

  test('waits for an account that is being deleted, and recreates it', async () => {
    const seed = await made({ treatment: 'apply' })
    seed.treat('stuck')
    const key = { name: 'local-ext-seed', namespace: 'shoot--foo--bar' }
    const resource = {
      group: 'resources.gardener.cloud',
      version: 'v1alpha1',
      plural: 'managedresources',
      namespaced: true,
    }
    await seed.kubernetes.delete(resource, key)
    await seed.ask('reconcile')
    await seed.step()
    expect((await seed.status()).lastOperation.description).toContain('is being deleted')
    seed.treat('apply')
    await seed.converge()
    expect((await seed.status()).lastOperation.state).toBe('Succeeded')
    expect(await seed.managedResources()).toMatchObject([{ isDeleting: false }])
  })
})

describe('a deletion', () => {
  test('waits until the account is gone, and leaves no Secret', async () => {
    const seed = await made()
    await seed.remove()
    await seed.step()
    expect((await seed.status()).lastOperation).toMatchObject({
      state: 'Processing',
      description: 'resource shoot--foo--bar/local-ext-seed still exists',
    })
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await seed.secretNames()).toEqual([])
  })

  test('of a ManagedResource that was never applied ends in one step', async () => {
    const seed = await extensionSeed(definition)
    await seed.step()
    await seed.remove()
    await seed.step()
    expect(await seed.live()).toBeUndefined()
    expect(await seed.managedResources()).toEqual([])
  })

  test('that waits for more than two minutes fails', async () => {
    const seed = await made()
    seed.treat('stuck')
    await seed.remove()
    await seed.converge()
    expect((await seed.status()).lastError.description).toContain('to be deleted: retry failed')
  })

  test('by force deletes it without waiting', async () => {
    const seed = await made()
    seed.treat('stuck')
    await seed.changeCluster(forced)
    await seed.remove()
    await seed.step()
    expect(await seed.live()).toBeUndefined()
    expect(await seed.managedResources()).toMatchObject([{ isDeleting: true }])
  })
})

test('a move removes the account from the seed', async () => {
  const seed = await made()
  await seed.ask('migrate')
  seed.takeWrites()
  await seed.converge()
  expect((await seed.status()).lastOperation).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
  expect(await seed.managedResources()).toEqual([])
  expect(seed.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).not.toContain(
    'patch managedresources',
  )
})
