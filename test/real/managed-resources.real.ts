import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import {
  deleteManagedResource,
  ensureManagedResource,
  listManagedResources,
  orphanObjects,
  readManagedResource,
  removeSecretsOf,
} from '../../shared/resources/resources.ts'
import {
  configMap,
  desiredOf,
  type Namespace,
  namespace,
  namespaceOn,
  ProcessDied,
  statusOf,
} from '../../shared/resources/testing/namespace.ts'
import { isBeside } from '../beside/beside.ts'
import { define, definitionsBesides } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const key = { name: 'one', namespace }

const definitions = [
  { whose: 'our CRD', present: true, load: async () => resourceCrds() },
  {
    whose: "Gardener's CRD",
    present: isBeside('crds'),
    load: () => definitionsBesides('resources.gardener.cloud_'),
  },
]

describeWith('kube', 'ManagedResources on kube-apiserver', programs => {
  describe.each(definitions)('with $whose', ({ present, load }) => {
    if (!present) return test.skip('it is missing beside the repository', () => {})

    let cluster: RealCluster
    let world: Namespace
    beforeAll(async () => {
      cluster = await startRealCluster(programs)
      await define(cluster.kubernetes, await load())
      world = await namespaceOn(cluster.kubernetes)
    })
    afterAll(() => cluster?.close())
    beforeEach(() => world.requests.splice(0))
    afterEach(async () => {
      await cluster.kubernetes.delete(managedResourceKind.resource, key)
      await removeSecretsOf(cluster.kubernetes, namespace, [{ name: 'one' }])
      expect(await world.secretNames()).toEqual([])
    })

    test('an object is created, read unchanged, and updated, with the minimum of writes', async () => {
      const { kubernetes, requests } = world
      const flags = { injectLabels: { a: 'b' }, keepObjects: true, forceOverwriteAnnotations: true }
      const made = await ensureManagedResource(kubernetes, desiredOf(flags))
      expect(made.outcome).toBe('created')
      const generation = made.managedResource.metadata.generation ?? 0
      await world.writeStatus(statusOf(generation))
      requests.length = 0
      const observed = await listManagedResources(kubernetes, namespace)
      const same = await ensureManagedResource(kubernetes, desiredOf(flags), observed.get('one') ?? null)
      expect(same.outcome).toBe('same')
      expect(requests).toEqual(['list managedresources'])
      const changed = await ensureManagedResource(kubernetes, desiredOf({ objects: [configMap('other')] }))
      expect(changed.outcome).toBe('changed')
      expect(changed.managedResource.spec).toEqual({
        secretRefs: [{ name: expect.stringMatching(/^one-[0-9a-f]{8}$/) }],
      })
      expect(await world.secretNames()).toHaveLength(2)
    })

    test('frequent status writes by others do not interfere', async () => {
      await ensureManagedResource(world.kubernetes, desiredOf())
      world.before('patch', () => world.writeStatus({ observedGeneration: 7 }))
      const { outcome } = await ensureManagedResource(world.kubernetes, desiredOf({ objects: [] }))
      expect(outcome).toBe('changed')
    })

    test('a recreated object gets no patch that was meant for the former one', async () => {
      await ensureManagedResource(world.kubernetes, desiredOf())
      world.requests.length = 0
      world.before('patch', async () => {
        await cluster.kubernetes.delete(managedResourceKind.resource, key)
        await ensureManagedResource(cluster.kubernetes, desiredOf({ class: 'seed' }))
      })
      await ensureManagedResource(world.kubernetes, desiredOf({ objects: [] }))
      expect(world.requests.filter(request => request.startsWith('get managedresources'))).toHaveLength(2)
      expect((await readManagedResource(world.kubernetes, key))?.spec?.class).toBeUndefined()
    })

    test.each(['before', 'after'] as const)(
      'if a process dies %s a write, another process continues',
      async when => {
        for (const write of [1, 2]) {
          world.dieAt(write, when)
          await ensureManagedResource(world.kubernetes, desiredOf()).catch(error => {
            if (!(error instanceof ProcessDied)) throw error
          })
        }
        const { managedResource } = await ensureManagedResource(world.kubernetes, desiredOf())
        expect(await world.secretNames()).toEqual([managedResource.spec?.secretRefs[0]?.name])
      },
    )

    test('an object is deleted before its Secrets, which are deleted once it is gone', async () => {
      await ensureManagedResource(world.kubernetes, desiredOf())
      await cluster.kubernetes.patch(managedResourceKind.resource, key, {
        metadata: { finalizers: ['resources.gardener.cloud/gardener-resource-manager'] },
      })
      await orphanObjects(world.kubernetes, key)
      await deleteManagedResource(world.kubernetes, key)
      await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
      expect(await world.secretNames()).toHaveLength(1)
      const { outcome } = await ensureManagedResource(world.kubernetes, desiredOf())
      expect(outcome).toBe('deleting')
      await cluster.kubernetes.patch(managedResourceKind.resource, key, { metadata: { finalizers: null } })
      while ((await readManagedResource(world.kubernetes, key)) !== undefined) await systemClock.sleep(10)
    })
  })
})
