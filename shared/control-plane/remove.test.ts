import { describe, expect, test } from 'vitest'
import { secrets } from '../kubernetes/core-resources.ts'
import { resourceNames } from './resource-names.ts'
import { hasFailed, newSeed } from './testing/seed.ts'

const { crds, storageClasses, shoot, seed: seedResource, configuration, webhooks } = resourceNames
const plural = {
  group: 'resources.gardener.cloud',
  version: 'v1alpha1',
  plural: 'managedresources',
  namespaced: true,
}

const isWrite = (call: string): boolean => !/^(get|list) /.test(call)

const removals = (requests: readonly string[]): readonly string[] =>
  requests
    .filter(call => call.startsWith('delete managedresources '))
    .map(call => call.slice('delete managedresources '.length))

/** A finished ControlPlane with the webhooks of the Go extension. */
const madeSeed = async (...options: Parameters<typeof newSeed>) => {
  const seed = await newSeed(...options)
  await seed.converge()
  await seed.kubernetes.create(plural, {
    apiVersion: 'resources.gardener.cloud/v1alpha1',
    kind: 'ManagedResource',
    metadata: { name: webhooks, namespace: seed.namespace },
    spec: { secretRefs: [{ name: 'gone' }] },
  })
  await seed.resourceManager.work()
  seed.requests.length = 0
  return seed
}

describe('a deletion', () => {
  test('a deletion removes everything, controllers after the objects that they clean up', async () => {
    const seed = await madeSeed()
    await seed.makeSecret('shoot-access-of-somebody', {
      metadata: { labels: { 'resources.gardener.cloud/purpose': 'token-requestor' } },
    })
    await seed.remove()
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
    expect(removals(seed.requests)).toEqual([
      storageClasses,
      crds,
      shoot,
      seedResource,
      configuration,
      webhooks,
    ])
    expect(await seed.managedResources()).toEqual([])
    expect(await seed.secretNames()).toEqual(['cloudprovider', 'shoot-access-of-somebody'])
  })

  test('a deletion retains the controllers while objects of the shoot exist', async () => {
    const seed = await madeSeed()
    seed.resourceManager.treat(shoot, 'unhealthy')
    await seed.remove()
    await seed.step()
    await seed.resourceManager.work()
    await seed.clock.advance(10_000)
    seed.requests.length = 0
    await seed.step()
    expect(seed.requests.filter(call => call.endsWith(' managedresources'))).toEqual([
      'list managedresources',
    ])
    expect(await seed.managedResources()).toEqual([configuration, seedResource, shoot, webhooks].toSorted())
    expect(await seed.secretNames()).toContain('shoot-access-driver')
    expect((await seed.lastOperation())?.description).toBe(
      `resource ${seed.namespace}/${shoot} still exists:\nConfigMap trust is still there`,
    )
  })

  test.each([
    [crds, 'shoot CRDs chart'],
    [storageClasses, 'storage classes chart'],
    [shoot, 'control plane shoot chart'],
    [webhooks, 'shoot webhooks'],
  ])('after two minutes the deletion reports what blocks %s', async (name, content) => {
    const seed = await madeSeed()
    seed.resourceManager.treat(name, 'unhealthy')
    await seed.remove()
    await seed.converge({ until: hasFailed })
    const { lastError } = (await seed.live()).status ?? {}
    expect(lastError?.description).toBe(
      `Error deleting ControlPlane: error while waiting for managed resource containing ${content} for controlplane '${seed.namespace}/control-plane' to be deleted: error while waiting for all resources to be deleted: retry failed with context deadline exceeded, last error: resource ${seed.namespace}/${name} still exists:\nConfigMap trust is still there`,
    )
    seed.resourceManager.treat(name, 'apply')
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
  })

  test('a ControlPlane with an unreadable config is deleted', async () => {
    const seed = await madeSeed()
    await seed.change({ spec: { providerConfig: { unreadable: true } } })
    await seed.remove()
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
  })

  test('the deletion of a ControlPlane that was never created writes nothing but its status', async () => {
    const seed = await newSeed({ spec: { providerConfig: { unreadable: true } } })
    await seed.step()
    seed.requests.length = 0
    await seed.remove()
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
    expect(seed.requests.filter(isWrite).filter(call => !call.includes(' controlplanes'))).toEqual([])
  })

  test('a deletion retains a token of another account, whatever the name of its Secret', async () => {
    const seed = await madeSeed()
    const key = { name: 'shoot-access-driver', namespace: seed.namespace }
    const annotations = { 'serviceaccount.resources.gardener.cloud/name': 'of-somebody' }
    await seed.kubernetes.patch(secrets, key, { metadata: { annotations } })
    await seed.remove()
    await seed.converge()
    expect(await seed.secretNames()).toEqual(['cloudprovider', 'shoot-access-driver'])
  })

  test('a deletion retains another ManagedResource of the same name', async () => {
    const seed = await madeSeed()
    await seed.remove()
    let isDone = false
    seed.interfereWith({
      before: async call => {
        if (isDone || call !== `delete managedresources ${shoot}`) return
        isDone = true
        const key = { name: shoot, namespace: seed.namespace }
        const present = await seed.kubernetes.get(plural, key)
        await seed.kubernetes.patch(plural, key, { metadata: { finalizers: null } })
        await seed.kubernetes.delete(plural, key)
        await seed.kubernetes.create(plural, { ...present, metadata: key } as never)
      },
    })
    await seed.step()
    expect((await seed.managedResource(shoot))?.metadata.deletionTimestamp).toBeUndefined()
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
  })
})

describe('a forced deletion', () => {
  const forced = { metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } } }

  test('a forced deletion waits for nothing and requests all deletions', async () => {
    const seed = await madeSeed()
    await seed.changeShoot(forced)
    seed.resourceManager.treat('all', 'stuck')
    await seed.remove()
    await seed.step()
    expect(await seed.isGone()).toBe(true)
    expect(removals(seed.requests)).toEqual([
      storageClasses,
      crds,
      shoot,
      seedResource,
      configuration,
      webhooks,
    ])
    const left = (await seed.secretNames()).filter(name => !name.startsWith('extension-controlplane-'))
    expect(left).toEqual(['cloudprovider'])
  })
})

describe('a migration', () => {
  test('a migration retains the controllers while objects of the shoot have finalizers', async () => {
    const seed = await madeSeed()
    seed.resourceManager.treat(shoot, 'stuck')
    await seed.ask('migrate')
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ type: 'Migrate', state: 'Processing' })
    expect(await seed.managedResources()).toEqual([configuration, seedResource, shoot, webhooks].toSorted())
    seed.resourceManager.treat(shoot, 'apply')
    await seed.resourceManager.work()
    await seed.converge()
    expect(await seed.lastOperation()).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
  })

  test('a migration retains the objects in the shoot, and only the private key of the CA, which gardenlet moves', async () => {
    const seed = await madeSeed()
    const keepObjects = new Map<string, unknown>()
    seed.interfereWith({
      before: async call => {
        const [verb, resource, name = ''] = call.split(' ')
        if (verb === 'delete' && resource === 'managedresources')
          keepObjects.set(name, (await seed.managedResource(name))?.spec?.keepObjects ?? false)
      },
    })
    await seed.ask('migrate')
    await seed.converge()
    expect(Object.fromEntries(keepObjects)).toEqual({
      [storageClasses]: true,
      [crds]: true,
      [shoot]: true,
      [seedResource]: false,
      [configuration]: false,
      [webhooks]: false,
    })
    expect(await seed.managedResources()).toEqual([])
    const left = await seed.secrets()
    expect(left.map(({ metadata }) => metadata.name.replace(/-[0-9a-f]{8}$/, ''))).toEqual([
      'ca-provider-tiny',
      'cloudprovider',
    ])
    const { metadata, status } = await seed.live()
    expect(status?.lastOperation).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
    expect(metadata.finalizers ?? []).toEqual([])
    expect(metadata.annotations).not.toHaveProperty(['gardener.cloud/operation'])
  })
})
