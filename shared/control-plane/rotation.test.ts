import { describe, expect, test } from 'vitest'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import { resourceNames } from './resource-names.ts'
import { newSeed } from './testing/seed.ts'

const { seed: seedResource, shoot: shootResource } = resourceNames
const { resource: managedResources } = managedResourceKind

describe('a rotation of the CAs', () => {
  const preparing = (phase: string) => ({
    status: {
      credentials: {
        rotation: { certificateAuthorities: { lastInitiationTime: '2026-11-21T12:00:00Z', phase } },
      },
    },
  })
  const certificates = async (seed: Awaited<ReturnType<typeof newSeed>>) =>
    Object((await seed.objectsOf(seedResource))[0]?.data) as { server: string; webhook: string }

  test('the shoot gets the new CA before a certificate of it is served', async () => {
    const seed = await newSeed()
    await seed.step()
    const before = await certificates(seed)
    await seed.changeShoot(preparing('Preparing'))
    seed.resourceManager.treat(shootResource, 'stuck')
    await seed.reconcile()
    await seed.step()
    expect(await certificates(seed)).toEqual(before)
    expect(await seed.lastOperation()).toMatchObject({ state: 'Processing' })
    seed.resourceManager.treat(shootResource, 'apply')
    await seed.resourceManager.work()
    await seed.converge()
    const after = await certificates(seed)
    expect(after.server).toBe(before.server)
    expect(after.webhook).not.toBe(before.webhook)
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  })

  test('the new certificate remains when the shoot gets other changes', async () => {
    const seed = await newSeed()
    await seed.step()
    await seed.changeShoot(preparing('Preparing'))
    await seed.reconcile()
    await seed.converge()
    const prepared = await certificates(seed)
    await seed.changeShoot(preparing('Prepared'))
    seed.resourceManager.treat('all', 'stuck')
    await seed.kubernetes.patch(
      {
        group: 'resources.gardener.cloud',
        version: 'v1alpha1',
        plural: 'managedresources',
        namespaced: true,
      },
      { name: shootResource, namespace: seed.namespace },
      { spec: { keepObjects: true } },
    )
    await seed.reconcile()
    await seed.step()
    expect(await certificates(seed)).toEqual(prepared)
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  })

  test('the rotation continues only when the deleted ManagedResource of the controllers is recreated', async () => {
    const seed = await newSeed()
    await seed.step()
    const before = (await certificates(seed)).webhook
    await seed.changeShoot(preparing('Preparing'))
    await seed.reconcile()
    await seed.step()
    const key = { name: seedResource, namespace: seed.namespace }
    const present = await seed.managedResource(seedResource)
    const another = async () => {
      seed.resourceManager.treat(seedResource, 'stuck')
      await seed.kubernetes.patch(managedResources, key, { metadata: { finalizers: null } })
      await seed.kubernetes.delete(managedResources, key)
      const metadata = { ...key, finalizers: ['example.com/of-another'] }
      const { apiVersion = '', kind = '', spec } = present ?? {}
      await seed.kubernetes.create(managedResources, { apiVersion, kind, metadata, spec })
      await seed.kubernetes.delete(managedResources, key)
    }
    seed.interfereWith({
      before: call => (call === `patch managedresources ${seedResource}` ? another() : undefined),
    })
    await seed.step()
    seed.interfereWith({})
    expect(await seed.lastOperation()).toMatchObject({
      state: 'Processing',
      description: expect.stringContaining(`${seedResource} still exists`),
    })
    const kept = (await seed.secrets()).find(({ metadata }) => metadata.name === before)
    expect(kept?.metadata.annotations).toBeUndefined()
    await seed.kubernetes.patch(managedResources, key, { metadata: { finalizers: null } })
    seed.resourceManager.treat(seedResource, 'apply')
    await seed.converge()
    expect((await certificates(seed)).webhook).not.toBe(before)
  })

  test('the rotation waits only for ManagedResources with the CA', async () => {
    const seed = await newSeed()
    await seed.step()
    const before = await certificates(seed)
    seed.resourceManager.treat(resourceNames.crds, 'invalid')
    await seed.resourceManager.work()
    await seed.changeShoot(preparing('Preparing'))
    await seed.reconcile()
    await seed.converge()
    expect((await certificates(seed)).webhook).not.toBe(before.webhook)
  })

  test('the rotation of a sleeping shoot does not wait', async () => {
    const seed = await newSeed()
    await seed.step()
    await seed.changeShoot({ ...preparing('Preparing'), spec: { hibernation: { enabled: true } } })
    seed.resourceManager.treat('all', 'stuck')
    await seed.reconcile()
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  })

  test('Secrets that pods may still mount remain for ten minutes after the change', async () => {
    const seed = await newSeed()
    await seed.step()
    const before = await certificates(seed)
    await seed.changeShoot(preparing('Preparing'))
    await seed.reconcile()
    await seed.converge()
    await seed.changeShoot(preparing('Completing'))
    await seed.reconcile()
    await seed.converge()
    expect(await seed.secretNames()).toContain(before.server)
    await seed.clock.advance(10 * 60_000)
    await seed.reconcile()
    await seed.converge()
    expect(await seed.secretNames()).not.toContain(before.server)
  })
})
