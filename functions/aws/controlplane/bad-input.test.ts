import { describe, expect, test } from 'vitest'
import { newSeed } from '../../../shared/control-plane/testing/seed.ts'
import { awsControlPlane } from './aws-control-plane.ts'
import { imageTable } from './images/image-table.ts'
import { type Asked, clusterOf, controlPlaneOf, infrastructureWith } from './testing/control-plane.ts'

const planted = 'planted-secret-value'

const seedOf = (asked: Asked = {}, options: Parameters<typeof newSeed>[0] = {}) =>
  newSeed({
    namespace: 'shoot--foo--bar',
    spec: controlPlaneOf(asked).spec,
    shoot: clusterOf(asked).spec.shoot,
    provider: awsControlPlane(imageTable),
    credentials: { accessKeyID: planted, secretAccessKey: planted },
    ...options,
  })

const errorOf = async (seed: Awaited<ReturnType<typeof newSeed>>) => {
  const { lastError, lastOperation } = (await seed.live()).status ?? {}
  expect(lastOperation).toMatchObject({ state: 'Error', description: lastError?.description })
  return { description: lastError?.description ?? '', codes: lastError?.codes ?? [] }
}

const prefix = 'Error reconciling ControlPlane: '

test.each([
  [
    'a config with an unknown field',
    { providerConfig: { foo: planted } },
    `could not decode providerConfig of controlplane 'shoot--foo--bar/control-plane': `,
    'foo',
  ],
  [
    'no infrastructure status',
    { infrastructure: null },
    `could not decode infrastructureProviderStatus of controlplane 'shoot--foo--bar/control-plane'`,
    '',
  ],
  [
    'an infrastructure without subnets',
    { infrastructure: infrastructureWith() },
    'could not determine subnet from infrastructureProviderStatus',
    'no subnet with purpose "nodes" found',
  ],
  ['a shoot without a version', { version: null }, 'could not read the Kubernetes version of shoot', ''],
  ['a version that is none', { version: 'abc' }, 'could not read the Kubernetes version of shoot', 'abc'],
  [
    'a version without images',
    { version: '1.31.5' },
    'could not find image "cloud-controller-manager"',
    '1.31.5',
  ],
] as const)('%s ends in an error that names it, and nothing is written', async (_, asked, start, part) => {
  const seed = await seedOf(asked as Asked)
  await seed.step()
  const { description } = await errorOf(seed)
  expect(description.startsWith(prefix)).toBe(true)
  expect(description).toContain(start)
  expect(description).toContain(part)
  expect(description).not.toContain(planted)
  expect(await seed.managedResources()).toEqual([])
  expect(await seed.secretNames()).toEqual(['cloudprovider'])
})

describe('a shoot with conditions of Calico on its nodes', () => {
  const asked: Asked = { networking: { providerConfig: { overlay: { enabled: false } } } }
  const annotation = 'aws.provider.extensions.gardener.cloud/calico-cleanup-completed'

  test('has an API server that does not respond: everything else is done, and the error reports it', async () => {
    const reached = Promise.withResolvers<void>()
    const seed = await seedOf(asked, {
      openShoot: async () => ({
        kubernetes: {
          get: () => new Promise(() => undefined),
          list: () => {
            reached.resolve()
            return new Promise(() => undefined)
          },
          patch: () => new Promise(() => undefined),
        },
        close: () => undefined,
      }),
    })
    const step = seed.step()
    await reached.promise
    await seed.clock.advance(20_000)
    await step
    const { description, codes } = await errorOf(seed)
    expect(description).toBe(
      `${prefix}cleaning up the shoot: no answer in 20 s; everything else of the ControlPlane is reconciled`,
    )
    expect(codes).toEqual([])
    expect(await seed.managedResources()).toHaveLength(5)
    expect((await seed.live()).metadata.annotations).not.toHaveProperty([annotation])
  })

  test('has no kubeconfig', async () => {
    const { openShoot } = await import('../../../shared/control-plane/clean-up/open-shoot.ts')
    const seed = await seedOf(asked, { openShoot })
    await seed.step()
    expect((await errorOf(seed)).description).toBe(
      `${prefix}could not create shoot client: secrets "gardener-internal" and "gardener" not found in namespace shoot--foo--bar; everything else of the ControlPlane is reconciled`,
    )
  })

  test('has an annotation once the clean-up is done, and is cleaned up again after an overlay', async () => {
    let opened = 0
    const seed = await seedOf(asked, {
      openShoot: async () => {
        opened++
        const list = async () => ({ items: [], resourceVersion: '1' })
        const never = () => Promise.reject(new Error('not asked for'))
        return { kubernetes: { get: never, list, patch: never }, close: () => undefined }
      },
    })
    await seed.step()
    expect((await seed.live()).metadata.annotations).toMatchObject({ [annotation]: 'true' })
    expect(await seed.due()).toEqual({ kind: 'none' })
    await seed.reconcile()
    await seed.step()
    expect(opened).toBe(1)
    await seed.changeShoot({ spec: { networking: { providerConfig: { overlay: { enabled: true } } } } })
    await seed.reconcile()
    await seed.step()
    expect((await seed.live()).metadata.annotations).not.toHaveProperty([annotation])
  })
})

test('a shoot without subnets for load balancers gets a condition', async () => {
  const seed = await seedOf({ infrastructure: infrastructureWith('nodes') })
  await seed.step()
  expect((await seed.live()).status).toMatchObject({
    lastOperation: { state: 'Succeeded' },
    conditions: [{ status: 'True', reason: 'NoSubnets' }],
  })
})
