import { describe, expect, test } from 'vitest'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { clusterOf, commonName, installationOf, runtimeOf, seedWith } from './testing/runtimes.ts'

type Seed = Awaited<ReturnType<typeof seedWith>>

const isGone = async (seed: Seed, pool: string) => (await seed.read(`gvisor-${pool}`)) === undefined

describe('the last pool', () => {
  test('deletes the shared objects, too, in one wait that the resource manager ends', async () => {
    const seed = await seedWith(['a'], { instant: false })
    await seed.remove('gvisor-a')
    await seed.step('gvisor-a')
    expect(seed.writes().filter(write => write.startsWith('delete'))).toEqual([
      `delete managedresources ${installationOf('a')}`,
      `delete managedresources ${commonName}`,
    ])
    expect((await seed.statusOf('gvisor-a')).lastOperation).toMatchObject({ state: 'Processing' })
    await seed.resourceManager.work()
    const before = seed.clock.now()
    await seed.step('gvisor-a')
    expect(await isGone(seed, 'a')).toBe(true)
    expect(seed.clock.now()).toBe(before)
    expect(await seed.secretNames()).toEqual([])
  })

  test('that cannot be deleted reports the reason and the blocking object', async () => {
    const seed = await seedWith(['a'], { instant: false })
    seed.resourceManager.treat(installationOf('a'), 'unhealthy')
    await seed.remove('gvisor-a')
    for (let step = 0; step < 40; step++) {
      await seed.step('gvisor-a')
      await seed.resourceManager.work()
      if ((await seed.statusOf('gvisor-a')).lastOperation?.state === 'Error') break
      await seed.clock.advance(10_000)
    }
    expect((await seed.statusOf('gvisor-a')).lastError?.description).toContain(
      'could not wait for the managed resources of gVisor to be deleted: error while waiting for all resources to be deleted: retry failed with context deadline exceeded, last error: resource shoot--garden--one/extension-runtime-gvisor-installation-a still exists:\nConfigMap trust is still there',
    )
    seed.resourceManager.treat(installationOf('a'), 'apply')
    await seed.converge('gvisor-a')
    expect(await isGone(seed, 'a')).toBe(true)
  })
})

describe('one of several pools', () => {
  test('retains the shared objects for the others', async () => {
    const seed = await seedWith(['a', 'b'])
    await seed.remove('gvisor-a')
    await seed.converge('gvisor-a')
    expect(await seed.managedResources()).toEqual([commonName, installationOf('b')])
    await seed.remove('gvisor-b')
    await seed.converge('gvisor-b')
    expect(await seed.managedResources()).toEqual([])
    expect(await seed.secretNames()).toEqual([])
  })

  test('deletes the shared objects when all pools are deleted at once, in any order', async () => {
    const seed = await seedWith(['a', 'b', 'c'], { instant: false })
    for (const pool of ['a', 'b', 'c']) await seed.remove(`gvisor-${pool}`)
    for (const pool of ['c', 'a', 'b']) await seed.step(`gvisor-${pool}`)
    await seed.resourceManager.work()
    for (const pool of ['b', 'c', 'a']) await seed.converge(`gvisor-${pool}`)
    expect(await seed.managedResources()).toEqual([])
    for (const pool of ['a', 'b', 'c']) expect(await isGone(seed, pool)).toBe(true)
  })

  test('deletes them even if all pools list the others at the same time', async () => {
    const seed = await seedWith(['a', 'b'])
    for (const pool of ['a', 'b']) await seed.remove(`gvisor-${pool}`)
    let asking = 0
    const all = Promise.withResolvers<void>()
    seed.interfereWith({
      after: async call => {
        if (!call.startsWith('list containerruntimes')) return
        if (++asking === 2) all.resolve()
        await all.promise
      },
    })
    await Promise.all(['a', 'b'].map(pool => seed.converge(`gvisor-${pool}`)))
    expect(await seed.managedResources()).toEqual([])
  })

  test('is distinguished from runtimes of other types and other shoots', async () => {
    const seed = await seedWith(['a'])
    const other = 'shoot--garden--two'
    await seed.kubernetes.create(clusterKind.resource, clusterOf(other))
    await seed.make({ ...runtimeOf('kata'), spec: { ...Object(runtimeOf('kata').spec), type: 'kata' } })
    const { kinds } = await import('../../../shared/contract/kinds.ts')
    const foreign = runtimeOf('b')
    await seed.kubernetes.create(
      { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } },
    )
    await seed.kubernetes.create(kinds.ContainerRuntime.resource, {
      ...foreign,
      metadata: { ...foreign.metadata, namespace: other },
    })
    await seed.remove('gvisor-a')
    await seed.converge('gvisor-a')
    expect(await seed.managedResources()).toEqual([])
  })

  test('retains objects that another object for the same pool needs', async () => {
    const seed = await seedWith(['a'])
    const twin = { ...runtimeOf('a'), metadata: { name: 'gvisor-a-again' } }
    await seed.make(twin)
    await seed.converge('gvisor-a-again')
    await seed.remove('gvisor-a')
    await seed.converge('gvisor-a')
    expect(await isGone(seed, 'a')).toBe(true)
    expect(await seed.managedResources()).toEqual([commonName, installationOf('a')])
  })
})

describe('a pool that is created while the last one is deleted', () => {
  /** Creates and reconciles a new pool right before the request that matches. */
  const madeBefore = async (request: RegExp, instant: boolean) => {
    const seed = await seedWith(['a'], { instant })
    await seed.remove('gvisor-a')
    let isMade = false
    seed.interfereWith({
      before: async call => {
        if (isMade || !request.test(call)) return
        isMade = true
        await seed.make(runtimeOf('b'))
        await seed.step('gvisor-b')
      },
    })
    await seed.converge('gvisor-a')
    expect(isMade).toBe(true)
    await seed.converge('gvisor-b')
    return seed
  }

  test.each([
    ['the function lists the other runtimes', /^list containerruntimes/],
    ['the shared objects are deleted', new RegExp(`^delete managedresources ${commonName}$`)],
    ['the function writes its result', /^patch containerruntimes\/status gvisor-a/],
  ])('has the shared objects, if it is created right before %s', async (_, request) => {
    for (const instant of [true, false]) {
      const seed = await madeBefore(request, instant)
      expect(await seed.managedResources()).toEqual([commonName, installationOf('b')])
      expect(await isGone(seed, 'a')).toBe(true)
    }
  })
})

describe('a forced deletion', () => {
  const forced = {
    metadata: {
      deletionTimestamp: '2026-11-21T11:00:00Z',
      annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' },
    },
  }

  test('does not wait', async () => {
    const seed = await seedWith(['a'], { instant: false })
    seed.resourceManager.treat('all', 'unhealthy')
    await seed.kubernetes.patch(clusterKind.resource, { name: seed.namespace }, { spec: { shoot: forced } })
    await seed.remove('gvisor-a')
    await seed.step('gvisor-a')
    expect(await isGone(seed, 'a')).toBe(true)
    for (const name of [commonName, installationOf('a')])
      expect((await seed.managedResource(name))?.metadata.deletionTimestamp).toBeDefined()
  })
})

describe('a migration', () => {
  test('retains the objects in the shoot, and the other seed takes them over', async () => {
    const seed = await seedWith(['a', 'b'], { instant: false })
    await seed.ask('gvisor-a', 'migrate')
    await seed.step('gvisor-a')
    for (const name of [commonName, installationOf('a')])
      expect(await seed.managedResource(name)).toMatchObject({
        metadata: { deletionTimestamp: expect.any(String) },
        spec: { keepObjects: true },
      })
    expect((await seed.managedResource(installationOf('b')))?.metadata.deletionTimestamp).toBeUndefined()
    await seed.converge('gvisor-a')
    await seed.ask('gvisor-b', 'migrate')
    await seed.converge('gvisor-b')
    expect(await seed.managedResources()).toEqual([])
    expect((await seed.read('gvisor-a'))?.metadata.finalizers ?? []).toEqual([])

    const after = await seedWith()
    await after.make(runtimeOf('a'), 'restore')
    await after.converge('gvisor-a')
    expect((await after.statusOf('gvisor-a')).lastOperation).toMatchObject({
      type: 'Restore',
      state: 'Succeeded',
    })
    expect(await after.managedResource(commonName)).toMatchObject({ spec: { keepObjects: false } })
  })
})
