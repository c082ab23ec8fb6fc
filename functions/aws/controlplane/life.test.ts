import { describe, expect, test } from 'vitest'
import { newSeed } from '../../../shared/control-plane/testing/seed.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { recordedControlPlane } from '../../../test/recorded/control-planes.ts'
import { readStored } from '../../../test/recorded/stored.ts'
import { awsControlPlane } from './aws-control-plane.ts'
import { imageTable } from './images/image-table.ts'

interface Operation {
  readonly order: readonly string[]
  readonly requests: number
}

const scenario = <S>(name: string): S => readStored(`controlplane/scenario-${name}.json`) as S

const webhooks = 'extension-controlplane-shoot-webhooks'

/**
 * Returns the requests that match in order, each once, without the Secrets of ManagedResources and the extension's own
 * webhooks.
 */
const namesOf = (requests: readonly string[], start: RegExp): readonly string[] => [
  ...new Set(
    requests
      .filter(call => start.test(call) && !call.endsWith('[404]') && !call.includes(webhooks))
      .map(call => call.replace(/-(?:<hash8>|[0-9a-f]{8})(?:-[0-9a-f]{5})?$/, '')),
  ),
]

const created = /^create (managedresources|secrets) /
const deleted = /^delete managedresources /

const recordedSeed = async (options: Parameters<typeof newSeed>[0] = {}) => {
  const { input } = recordedControlPlane('default')
  return newSeed({
    namespace: input.controlPlane.metadata.namespace ?? '',
    spec: input.controlPlane.spec,
    shoot: input.cluster.spec.shoot,
    provider: awsControlPlane(imageTable),
    credentials: { credentialsFile: '[default]\n' },
    ...options,
  })
}

const replicasOf = (objects: readonly KubernetesObject[]) =>
  Object.fromEntries(
    objects
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ metadata, spec }) => [metadata.name, Object(spec).replicas]),
  )

describe('the life of a recorded ControlPlane', () => {
  test('begins as recorded, with the configuration before the certificates', async () => {
    const { create } = scenario<{ create: Operation }>('lifecycle')
    const seed = await recordedSeed()
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ type: 'Create', state: 'Succeeded' })
    const expected = namesOf(create.order, created)
    const isConfiguration = (call: string) => call.includes('configuration-seed')
    expect(namesOf(seed.requests, created)).toEqual([
      ...expected.filter(isConfiguration),
      ...expected.filter(call => !isConfiguration(call)),
    ])
    // The recording has two attempts; the first ends with an error (C1).
    expect(seed.requests.length).toBeLessThan(create.requests * 0.6)
  })

  test('costs a third of the requests when nothing has changed', async () => {
    const { idle } = scenario<{ idle: readonly Operation[] }>('lifecycle')
    const seed = await recordedSeed()
    await seed.step()
    await seed.reconcile()
    seed.requests.length = 0
    await seed.step()
    expect(seed.requests.filter(call => !/^(get|list) /.test(call))).toHaveLength(3)
    expect(seed.requests.length).toBeLessThanOrEqual(15)
    expect(idle[0]?.requests).toBe(45)
  })

  test.each([
    ['lifecycle', 'delete'],
    ['migrate', 'migrate'],
  ] as const)('ends in the recorded order (%s)', async (name, operation) => {
    const recorded = scenario<Record<string, Operation>>(name)[operation]
    const seed = await recordedSeed()
    await seed.step()
    seed.requests.length = 0
    await (operation === 'delete' ? seed.remove() : seed.ask('migrate'))
    await seed.converge()
    expect(namesOf(seed.requests, deleted)).toEqual(namesOf(recorded?.order ?? [], deleted))
    const kept = /^patch managedresources /
    expect(namesOf(seed.requests, kept).toSorted()).toEqual(namesOf(recorded?.order ?? [], kept).toSorted())
    const left = (await seed.secretNames()).map(secret => secret.replace(/-[0-9a-f]{8}$/, ''))
    // In the recording all keys remain after a migration (C9). gardenlet moves only the CA.
    expect(left).toEqual(
      operation === 'delete' ? ['cloudprovider'] : ['ca-provider-aws-controlplane', 'cloudprovider'],
    )
  })

  test('is force-deleted in the recorded order without waiting', async () => {
    const recorded = scenario<Operation>('force-delete')
    const seed = await recordedSeed()
    await seed.step()
    await seed.changeShoot({
      metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } },
    })
    seed.resourceManager.treat('all', 'stuck')
    seed.requests.length = 0
    await seed.remove()
    await seed.step()
    expect(await seed.isGone()).toBe(true)
    expect(namesOf(seed.requests, deleted)).toEqual(namesOf(recorded.order, deleted))
  })

  test('has the recorded number of replicas while going to sleep, asleep and awake', async () => {
    const recorded =
      scenario<Record<'apiServerRunning' | 'apiServerDown', { replicas: Record<string, number> }>>(
        'hibernate',
      )
    const seed = await recordedSeed()
    const replicas = async () => replicasOf(await seed.objectsOf('extension-controlplane-seed'))
    await seed.makeApiServer(1)
    await seed.step()
    const awake = await replicas()
    await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
    await seed.reconcile()
    await seed.step()
    expect(await replicas()).toEqual(recorded.apiServerRunning.replicas)
    await seed.makeApiServer(0)
    await seed.clock.advance(2_000)
    await seed.step()
    expect(await replicas()).toEqual(recorded.apiServerDown.replicas)
    await seed.changeShoot({ spec: { hibernation: { enabled: false } } })
    await seed.reconcile()
    await seed.step()
    expect(await replicas()).toEqual(awake)
  })

  test('publishes a new CA to the webhooks of the shoot before it uses a certificate of it', async () => {
    const config = { ...Object(recordedControlPlane('lb').input.controlPlane.spec.providerConfig) }
    const { spec } = recordedControlPlane('default').input.controlPlane
    const seed = await recordedSeed({ spec: { ...spec, providerConfig: config } })
    await seed.step()
    const bundles = async () => {
      const objects = await seed.objectsOf('extension-controlplane-shoot')
      const all = objects.flatMap(object =>
        ((object.webhooks ?? []) as readonly { clientConfig: { caBundle: string } }[]).map(
          webhook => webhook.clientConfig.caBundle,
        ),
      )
      return new Set(all)
    }
    const [before] = await bundles()
    await seed.changeShoot({
      status: {
        credentials: {
          rotation: {
            certificateAuthorities: { lastInitiationTime: '2026-11-21T12:00:00Z', phase: 'Preparing' },
          },
        },
      },
    })
    seed.resourceManager.treat('extension-controlplane-shoot', 'stuck')
    await seed.reconcile()
    await seed.step()
    const [after, ...others] = await bundles()
    expect(others).toEqual([])
    const pem = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString()
    expect(pem(after)).toContain(pem(before).trim())
    expect(pem(after).match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
    expect(await seed.lastOperation()).toMatchObject({ state: 'Processing' })
    seed.resourceManager.treat('extension-controlplane-shoot', 'apply')
    await seed.resourceManager.work()
    await seed.converge()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  })
})
