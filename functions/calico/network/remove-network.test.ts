import { describe, expect, test } from 'vitest'
import { configMaps, scrapeConfigs } from './monitoring/resources.ts'
import { scrapeConfig } from './monitoring/scrape-configs.ts'
import { newSeed, type SeedOptions, shootOf } from './testing/seed.ts'

/** The remains of the Go extension: a ScrapeConfig that it never deletes, and an old ConfigMap. */
const withLeftovers = async (options: SeedOptions = {}) => {
  const seed = await newSeed(options)
  await seed.step()
  const { namespace, kubernetes } = seed
  await kubernetes.create(scrapeConfigs, scrapeConfig(namespace, 'bird'))
  await kubernetes.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'calico-monitoring-config', namespace },
    data: {},
  })
  await kubernetes.create(scrapeConfigs, {
    ...scrapeConfig(namespace, 'bird'),
    metadata: { name: 'shoot-node-exporter', namespace },
  })
  seed.requests.length = 0
  return seed
}
const others = async (seed: Awaited<ReturnType<typeof newSeed>>) =>
  (await seed.monitoring()).map(({ metadata }) => metadata.name)

test('a deletion leaves nothing, not even of the Go extension, and retains all objects of others', async () => {
  const seed = await withLeftovers()
  await seed.remove()
  await seed.converge()
  expect(await seed.isGone()).toBe(true)
  expect(await seed.managedResource()).toBeUndefined()
  expect(await seed.secretNames()).toEqual([])
  expect(await others(seed)).toEqual(['shoot-node-exporter'])
})

test('a deletion waits for the objects in the shoot, and continues when they are gone', async () => {
  const seed = await withLeftovers({ instant: false })
  await seed.resourceManager.work()
  await seed.remove()
  await seed.step()
  expect(await seed.lastOperation()).toMatchObject({
    type: 'Delete',
    state: 'Processing',
    description: expect.stringContaining('extension-networking-calico-config still exists'),
  })
  expect(await seed.secretNames()).toHaveLength(1)
  await seed.converge()
  expect(await seed.isGone()).toBe(true)
  expect(await seed.secretNames()).toEqual([])
})

test('a deletion that takes too long fails with the reason and is retried', async () => {
  const seed = await withLeftovers({ instant: false })
  await seed.resourceManager.work()
  seed.resourceManager.treat('all', 'invalid')
  await seed.remove()
  await seed.step()
  await seed.resourceManager.work()
  await seed.clock.advance(130_000)
  await seed.step()
  expect((await seed.lastError())?.description).toContain('ConfigMap trust is still there')
  seed.resourceManager.treat('all', 'apply')
  await seed.converge()
  expect(await seed.isGone()).toBe(true)
})

test('an unreadable config does not block the deletion of a Network', async () => {
  const seed = await withLeftovers()
  await seed.change({ spec: { providerConfig: { apiVersion: 'x', foo: 1 } } })
  await seed.remove()
  await seed.converge()
  expect(await seed.isGone()).toBe(true)
  expect(await others(seed)).toEqual(['shoot-node-exporter'])
})

test('a forced deletion deletes everything without waiting', async () => {
  const seed = await withLeftovers({ instant: false })
  await seed.resourceManager.work()
  await seed.changeShoot({
    metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } },
  })
  await seed.remove()
  await seed.step()
  expect(await seed.isGone()).toBe(true)
  expect((await seed.managedResource())?.metadata.deletionTimestamp).toBeDefined()
  expect(await others(seed)).toEqual(['shoot-node-exporter'])
})

describe('a migration', () => {
  test('orphans the objects in the shoot before the ManagedResource is deleted', async () => {
    const seed = await withLeftovers()
    await seed.ask('migrate')
    seed.requests.length = 0
    await seed.converge()
    const calls = seed.writes().filter(call => call.includes('managedresources'))
    expect(calls).toEqual([
      'patch managedresources extension-networking-calico-config',
      'delete managedresources extension-networking-calico-config',
    ])
    expect(await seed.lastOperation()).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
    expect((await seed.live()).metadata.finalizers ?? []).toEqual([])
    expect(await others(seed)).toEqual(['shoot-node-exporter'])
  })

  test('is followed by a restore in another seed, which recreates everything', async () => {
    const seed = await newSeed({ operation: 'restore', shoot: shootOf() })
    await seed.converge()
    expect(await seed.lastOperation()).toMatchObject({ type: 'Restore', state: 'Succeeded' })
    expect((await seed.managedResource())?.spec?.keepObjects).toBe(false)
    expect(await seed.objects()).toHaveLength(63)
  })
})
