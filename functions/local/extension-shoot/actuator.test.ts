import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  clusterOf,
  extensionOf,
  extensionSeed,
  namespace,
  networkPolicies,
} from '../../testing/extension-seed.ts'
import { definition } from './function.ts'

const forced = { 'confirmation.gardener.cloud/force-deletion': 'true' }
const tested = clusterOf({ metadata: { annotations: { 'test-force-delete': 'true' } } })

const policy = (name: string, more: object = {}): KubernetesObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: {
    name,
    namespace,
    labels: { 'app.kubernetes.io/name': 'local-ext-shoot' },
    finalizers: ['extensions.gardener.cloud/local-ext-shoot'],
    ...more,
  },
  spec: { podSelector: {} },
})

const made = async (...options: Parameters<typeof extensionSeed>[1][]) => {
  const seed = await extensionSeed(definition, ...options)
  await seed.converge()
  return seed
}
const names = (policies: readonly KubernetesObject[]) => policies.map(({ metadata }) => metadata.name)

test('a reconcile creates an account in the shoot without waiting for it', async () => {
  const seed = await extensionSeed(definition, { treatment: 'unhealthy' })
  await seed.step()
  expect((await seed.status()).lastOperation).toMatchObject({ type: 'Create', state: 'Succeeded' })
  expect(await seed.managedResources()).toEqual([
    {
      name: 'local-ext-shoot',
      isDeleting: false,
      spec: {
        keepObjects: false,
        injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
        secretRefs: 1,
      },
      objects: [expect.objectContaining({ kind: 'ServiceAccount' })],
    },
  ])
  expect(await seed.policies()).toEqual([])
})

test('an object of a garden needs no Cluster', async () => {
  const seed = await made({ object: extensionOf(definition, 'garden'), cluster: null })
  expect((await seed.status()).lastOperation.state).toBe('Succeeded')
})

test('a migration retains the objects of the shoot', async () => {
  const seed = await made()
  await seed.ask('migrate')
  await seed.step()
  expect(await seed.managedResources()).toMatchObject([{ isDeleting: true, spec: { keepObjects: true } }])
  await seed.converge()
  expect(await seed.managedResources()).toEqual([])
  await seed.arrive()
  await seed.ask('restore')
  await seed.converge()
  expect((await seed.status()).lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
  expect(await seed.managedResources()).toMatchObject([{ spec: { keepObjects: false } }])
})

describe('the policies for the test of forced deletions', () => {
  test('are two after any number of reconciles', async () => {
    const seed = await made({ cluster: tested })
    expect(names(await seed.policies())).toEqual(['test-netpol-1', 'test-netpol-2'])
    await seed.ask('reconcile')
    seed.takeWrites()
    await seed.converge()
    expect(names(await seed.policies())).toEqual(['test-netpol-1', 'test-netpol-2'])
    expect(seed.takeWrites().map(({ resource }) => resource)).not.toContain('networkpolicies')
  })

  test.each([
    ['forced', forced],
    ['common', {}],
  ])('are deleted by a %s deletion, with those of the Go extension', async (_, annotations) => {
    const seed = await made({ cluster: tested, objects: [policy('test-netpol-x7k2p')] })
    seed.treat('stuck')
    await seed.changeCluster({ metadata: { annotations } })
    await seed.remove()
    await seed.step()
    expect(await seed.policies()).toEqual([])
  })

  test('do not include foreign ones, and foreign finalizers are retained', async () => {
    const others = [
      policy('test-netpol-3', { labels: {} }),
      policy('test-netpol-4', { finalizers: ['example.org/mine'] }),
      policy('allow-all'),
    ]
    const shared = policy('test-netpol-5', {
      finalizers: ['extensions.gardener.cloud/local-ext-shoot', 'example.org/mine'],
    })
    const seed = await made({ objects: [...others, shared] })
    await seed.changeCluster({ metadata: { annotations: forced } })
    await seed.remove()
    await seed.converge()
    const left = await seed.policies()
    expect(names(left)).toEqual(['allow-all', 'test-netpol-3', 'test-netpol-4', 'test-netpol-5'])
    expect(left.at(-1)?.metadata).toMatchObject({
      finalizers: ['example.org/mine'],
      deletionTimestamp: expect.any(String),
    })
    expect(left.slice(0, 3).every(({ metadata }) => metadata.deletionTimestamp === undefined)).toBe(true)
  })

  test('do not replace a foreign one with the same name', async () => {
    const seed = await made({ cluster: tested, objects: [policy('test-netpol-1', { labels: {} })] })
    expect((await seed.status()).lastOperation.state).toBe('Succeeded')
    expect(await seed.kubernetes.get(networkPolicies, { name: 'test-netpol-1', namespace })).toMatchObject({
      metadata: { name: 'test-netpol-1' },
    })
  })
})

test('a forced deletion deletes the account too, without waiting', async () => {
  const seed = await made()
  seed.treat('stuck')
  await seed.changeCluster({ metadata: { annotations: forced } })
  await seed.remove()
  await seed.step()
  expect(await seed.live()).toBeUndefined()
  expect(await seed.managedResources()).toMatchObject([{ isDeleting: true }])
})
