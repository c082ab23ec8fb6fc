import { describe, expect, test } from 'vitest'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { type ExtensionWorld, extensionWorld, name } from './testing/extension-world.ts'

const seedName = 'extension-shoot-oidc-service-seed'
const shootName = 'extension-shoot-oidc-service-shoot'

const made = async (options: Parameters<typeof extensionWorld>[0] = {}) => {
  const world = await extensionWorld(options)
  await world.create()
  await world.converge(name)
  return world
}

const stateOf = async (world: ExtensionWorld) => (await world.statusOf(name)).lastOperation

describe('a rotation of CAs', () => {
  const started = { lastInitiationTime: '2026-11-21T12:00:00Z', phase: 'Preparing' }

  test('of a hibernated shoot does not wait, and is completed after it wakes up', async () => {
    const world = await made()
    const certificateIn = async () => {
      const objects = await world.objectsOf(seedName)
      const deployment = objects.find(({ kind }) => kind === 'Deployment')
      return Object(deployment?.spec).template.spec.volumes[0].secret.secretName
    }
    const certificate = await certificateIn()
    const sleep = (enabled: boolean) =>
      world.kubernetes.patch(
        clusterKind.resource,
        { name: world.namespace },
        { spec: { shoot: { spec: { hibernation: { enabled } } } } },
      )
    await sleep(true)
    world.resourceManager.treat(shootName, 'stuck')
    await world.rotate(started)
    await world.reconcile()
    expect(await stateOf(world)).toMatchObject({ state: 'Succeeded' })
    expect(await certificateIn()).toBe(certificate)

    await sleep(false)
    world.resourceManager.treat(shootName, 'apply')
    await world.resourceManager.work()
    await world.reconcile()
    expect(await stateOf(world)).toMatchObject({ state: 'Succeeded' })
    expect(await certificateIn()).not.toBe(certificate)
  })

  test.each(['shoot', 'garden'] as const)(
    'of a %s publishes the new CA to the API server and the shoot before it signs a served certificate',
    async extensionClass => {
      const world = await made({ extensionClass })
      const certificateIn = async () => {
        const objects = await world.objectsOf(seedName)
        const deployment = objects.find(({ kind }) => kind === 'Deployment')
        return Object(deployment?.spec).template.spec.volumes[0].secret.secretName
      }
      const bundleIn = async () =>
        Object((await world.apiServer())?.spec).template.spec.volumes.find(
          (volume: { name: string }) => volume.name === 'token-validator-secret',
        ).projected.sources[0].secret.name
      const [certificate, bundle] = [await certificateIn(), await bundleIn()]
      await world.rotate(started)
      world.resourceManager.treat(shootName, 'stuck')
      await world.clock.advance(5_000)
      await world.ask(name, 'reconcile')
      await world.step(name)
      expect(await bundleIn()).not.toBe(bundle)
      expect(await certificateIn()).toBe(certificate)
      expect(await stateOf(world)).toMatchObject({ state: 'Processing' })
      world.resourceManager.treat(shootName, 'apply')
      await world.resourceManager.work()
      await world.converge(name)
      expect(await certificateIn()).not.toBe(certificate)
      expect(await stateOf(world)).toMatchObject({ state: 'Succeeded' })

      const before = await bundleIn()
      await world.rotate({ ...started, phase: 'Completing' })
      await world.reconcile()
      expect(await bundleIn()).not.toBe(before)
      const authorities = (await world.secretNames()).filter(one => /^ca-(?!.*bundle)/.test(one))
      expect(authorities).toHaveLength(1)
    },
  )
})
