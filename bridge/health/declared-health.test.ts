import { expect, test } from 'vitest'
import { monitoredKinds } from '../../shared/contract/health.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { declaredHealthOf, deploymentCheck, podsCheck } from '../../shared/health/health.ts'
import { type BridgeTestSeed, namespace, useSeeds } from '../testing/test-seed.ts'
import { at, deployment, reasons } from './testing/monitored-seed.ts'

const createSeed = useSeeds()

const declaredHealth = declaredHealthOf({
  kind: 'Network',
  types: ['acme'],
  health: {
    conditions: [
      { type: 'SystemComponentsHealthy', checks: [deploymentCheck('acme')] },
      { type: 'Own', own: true, checks: [podsCheck('app=acme')] },
    ],
  },
})
const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true }

const network = (seed: BridgeTestSeed, conditions: Readonly<Record<string, string>>, seconds = 0) =>
  seed.kubernetes.put(kinds.Network.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Network',
    metadata: { name: 'n', namespace },
    spec: { type: 'acme' },
    status: {
      lastOperation: { type: 'Reconcile', state: 'Succeeded', lastUpdateTime: at(-60) },
      conditions: Object.entries(conditions).map(([type, status]) => ({
        type,
        status,
        lastUpdateTime: at(seconds),
        lastTransitionTime: at(seconds),
      })),
    },
  })

const healthy = { SystemComponentsHealthy: 'True', Own: 'True' }

const options = {
  selection: { kinds: ['Network'], classes: ['shoot'], namespaces: [] },
  monitored: monitoredKinds,
  declaredHealth,
  random: () => 0,
} as const

const begin = async () => {
  const seed = createSeed()
  network(seed, healthy)
  deployment(seed, 'True', 'acme')
  const started = await seed.bridge(options)
  await seed.clock.advance(20_000)
  seed.events.splice(0)
  return { seed, ...started }
}

test('a change of a Deployment that a check reads is checked after 100 ms', async () => {
  const { seed } = await begin()
  deployment(seed, 'False', 'acme')
  await seed.clock.advance(100)
  expect(reasons(seed)).toEqual(['changed'])
  expect(seed.events[0]).toMatchObject({ operation: 'healthcheck', kind: 'Network', name: 'n' })
})

test('a change of a pod that a check reads is checked', async () => {
  const { seed } = await begin()
  const metadata = { name: 'p', namespace, labels: { app: 'acme' } }
  seed.kubernetes.put(pods, { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Pending' } })
  await seed.clock.advance(100)
  expect(reasons(seed)).toEqual(['changed'])
})

test('only the objects that checks read are watched, and changes of other names are ignored', async () => {
  const seed = createSeed()
  network(seed, healthy)
  const { port } = seed.kubernetes
  const asked: unknown[] = []
  const list: typeof port.list = (resource, options = {}) => {
    const { labelSelector, fieldSelector } = options
    asked.push([resource.plural, labelSelector, fieldSelector])
    return port.list(resource, options)
  }
  await seed.bridge({ ...options, kubernetes: { ...port, list } })
  await seed.clock.advance(20_000)
  seed.events.splice(0)
  expect(asked).toContainEqual(['deployments', undefined, 'metadata.name=acme'])
  expect(asked).toContainEqual(['pods', 'app=acme', undefined])
  deployment(seed, 'False', 'other')
  await seed.clock.advance(10_000)
  expect(seed.events).toEqual([])
})

test('one unhealthy condition of several is enough to check again', async () => {
  const { seed } = await begin()
  network(seed, { ...healthy, Own: 'False' }, 20)
  await seed.clock.advance(30_000)
  expect(reasons(seed)).toEqual(['unhealthy'])
})

test('a missing condition is checked again', async () => {
  const { seed } = await begin()
  network(seed, { SystemComponentsHealthy: 'True' }, 20)
  await seed.clock.advance(31_000)
  expect(reasons(seed).length).toBeGreaterThan(0)
})

test('a type without declared health is not checked', async () => {
  const seed = createSeed()
  network(seed, {})
  await seed.bridge({
    ...options,
    declaredHealth: declaredHealth.map(health => ({ ...health, type: 'other' })),
  })
  await seed.clock.advance(3_600_000)
  expect(seed.events.filter(({ operation }) => operation === 'healthcheck')).toEqual([])
})

test('an object without a namespace is checked', async () => {
  const seed = createSeed()
  seed.kubernetes.put(kinds.BackupEntry.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'BackupEntry',
    metadata: { name: 'shoot--foo--bar--uid' },
    spec: { type: 'acme' },
    status: { lastOperation: { type: 'Reconcile', state: 'Succeeded', lastUpdateTime: at(-60) } },
  })
  await seed.bridge({
    ...options,
    selection: { ...options.selection, kinds: ['BackupEntry'] },
    declaredHealth: [{ kind: 'BackupEntry', type: 'acme', conditions: ['Own'], reads: [] }],
  })
  await seed.clock.advance(20_000)
  expect(seed.events[0]).toMatchObject({ subject: 'shoot--foo--bar--uid', name: 'shoot--foo--bar--uid' })
  expect(seed.events[0]).not.toHaveProperty('namespace')
})
