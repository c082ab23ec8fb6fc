import { describe, expect, test } from 'vitest'
import { newSeed } from '../../../shared/control-plane/testing/seed.ts'
import { recordedOpenStackControlPlane } from '../../../test/recorded/control-planes.ts'
import { readStored } from '../../../test/recorded/stored.ts'
import { imageTable } from './images/image-table.ts'
import { openstackControlPlane } from './openstack-control-plane.ts'
import { credentialsOf } from './testing/recorded-form.ts'

interface Operation {
  readonly order: readonly string[]
  readonly requests: number
}

const recordedLife = readStored('openstack/controlplane/default.json') as {
  readonly firstReconcile: Operation
  readonly idle: Operation
  readonly delete: Operation
}

/** Returns the requests that match in order, each once, without the Secrets of ManagedResources. */
const namesOf = (requests: readonly string[], start: RegExp): readonly string[] => [
  ...new Set(
    requests
      .filter(call => start.test(call) && !call.endsWith('[404]'))
      .map(call => call.replace(/-[0-9a-f]{8}(?:-[0-9a-f]{5})?$/, '')),
  ),
]

const created = /^create (managedresources|secrets) /
const deleted = /^delete managedresources /
const isWrite = (call: string) => !/^(get|list) /.test(call)

const recordedSeed = async (options: Parameters<typeof newSeed>[0] = {}) => {
  const { controlPlane, cluster } = recordedOpenStackControlPlane('default').input
  return newSeed({
    namespace: controlPlane.metadata.namespace ?? '',
    spec: controlPlane.spec,
    shoot: cluster.spec.shoot,
    cloudProfile: cluster.spec.cloudProfile,
    provider: openstackControlPlane(imageTable),
    credentials: credentialsOf('default'),
    ...options,
  })
}

describe('the life of a recorded ControlPlane of OpenStack', () => {
  test('begins as recorded, with the configuration before the certificates, and without an error', async () => {
    const seed = await recordedSeed()
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ type: 'Create', state: 'Succeeded' })
    const expected = namesOf(recordedLife.firstReconcile.order, created)
    const isConfiguration = (call: string) => call.includes('configuration-seed')
    expect(namesOf(seed.requests, created)).toEqual([
      ...expected.filter(isConfiguration),
      ...expected.filter(call => !isConfiguration(call)),
    ])
  })

  test('deletes nothing when nothing has changed (D21), and writes only its own status', async () => {
    const seed = await recordedSeed()
    await seed.step()
    expect(seed.requests.filter(call => call.startsWith('delete '))).toEqual([])
    await seed.reconcile()
    seed.requests.length = 0
    await seed.step()
    const writes = seed.requests.filter(isWrite)
    expect(writes.filter(call => !call.includes(' controlplanes'))).toEqual([])
    expect(writes).toHaveLength(3)
    expect(recordedLife.idle.requests).toBe(13)
  })

  test.each(['delete', 'migrate'] as const)('ends in the recorded order (%s)', async operation => {
    const seed = await recordedSeed()
    await seed.step()
    seed.requests.length = 0
    await (operation === 'delete' ? seed.remove() : seed.ask('migrate'))
    await seed.converge()
    expect(namesOf(seed.requests, deleted)).toEqual(namesOf(recordedLife.delete.order, deleted))
    const orphaned = namesOf(seed.requests, /^patch managedresources /)
    expect(orphaned).toHaveLength(operation === 'delete' ? 0 : 3)
    const left = (await seed.secretNames()).map(secret => secret.replace(/-[0-9a-f]{8}$/, ''))
    expect(left).toEqual(
      operation === 'delete' ? ['cloudprovider'] : ['ca-provider-openstack-controlplane', 'cloudprovider'],
    )
  })

  test('is deleted even if its input cannot be read', async () => {
    const seed = await recordedSeed()
    await seed.step()
    await seed.changeShoot({ spec: { kubernetes: { version: 'abc' } } })
    await seed.remove()
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
  })

  test('has no replicas while it sleeps', async () => {
    const seed = await recordedSeed()
    const replicas = async () =>
      (await seed.objectsOf('extension-controlplane-seed'))
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => Object(spec).replicas)
    await seed.makeApiServer(1)
    await seed.step()
    expect(await replicas()).toEqual([1, 1, 1])
    await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
    await seed.makeApiServer(0)
    await seed.reconcile()
    await seed.step()
    expect(await replicas()).toEqual([0, 0, 0])
  })

  test('changes only the configuration and its readers when the password changes', async () => {
    const seed = await recordedSeed()
    await seed.step()
    await seed.kubernetes.patch(
      { group: '', version: 'v1', plural: 'secrets', namespaced: true },
      { name: 'cloudprovider', namespace: 'shoot--os--cdefault' },
      { data: { password: btoa('new"secret') } },
    )
    await seed.reconcile()
    seed.requests.length = 0
    await seed.step()
    const written = seed.requests.filter(call => /^patch managedresources/.test(call))
    expect(written).toEqual([
      'patch managedresources extension-controlplane-configuration-seed',
      'patch managedresources extension-controlplane-seed',
    ])
    const [secret] = await seed.objectsOf('extension-controlplane-configuration-seed')
    const config = Object.values(Object(secret?.data)).map(value => atob(`${value}`))
    expect(config.join()).toContain('password="new\\"secret"')
    expect(JSON.stringify(await seed.lastOperation())).not.toContain('secret')
  })
})
