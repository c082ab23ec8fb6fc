import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { systemClock } from '../../shared/clock/clock.ts'
import type { ManagedResource } from '../../shared/contract/objects.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import {
  createKubernetes,
  httpTransport,
  type KubernetesObject,
  openAccess,
} from '../../shared/kubernetes/kubernetes.ts'
import {
  type DesiredManagedResource,
  deleteManagedResource,
  ensureManagedResource,
  goneWait,
  healthyWait,
  orphanObjects,
  readManagedResource,
} from '../../shared/resources/resources.ts'
import { besidePath, isBeside, withBeside } from '../../test/beside/beside.ts'
import {
  createShoots,
  type ResourceFault,
  resourceFaultAnnotation,
} from '../resource-manager/resource-manager.ts'
import { type SeedOptions, startSeed } from './seed.ts'

const namespace = 'shoot--foo--bar'
const key = { name: 'one', namespace }
const resourceOf = (plural: string, group = '', namespaced = true, version = 'v1') =>
  ({ group, version, plural, namespaced }) as const
const configMaps = resourceOf('configmaps')
const secrets = resourceOf('secrets')
const deployments = resourceOf('deployments', 'apps')

const configMap = (name: string, metadata: object = {}, data: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'kube-system', ...metadata },
  data,
})
const desiredOf = (fields: Partial<DesiredManagedResource> = {}): DesiredManagedResource => ({
  ...key,
  key: 'chart',
  objects: [configMap('first')],
  ...fields,
})

const start = async (options: Partial<SeedOptions> & { readonly fault?: ResourceFault } = {}) => {
  const { fault, ...others } = options
  const annotations = fault && { [resourceFaultAnnotation]: fault }
  const seed = await startSeed({
    functions: [],
    resourceScale: 0.001,
    objects: [
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, ...(annotations && { annotations }) },
      },
    ],
    ...others,
  })
  onTestFinished(seed.close)
  const { kubernetes } = seed
  const read = (name = 'one') => readManagedResource(kubernetes, { name, namespace })
  const until = async (isSo: (found: ManagedResource | undefined) => boolean, name = 'one') => {
    for (;;) {
      const found = await read(name)
      if (isSo(found)) return found
      await systemClock.sleep(2)
    }
  }
  const isHealthy = (found: ManagedResource | undefined) => healthyWait(key, found).kind === 'over'
  const inShoot = async () =>
    createKubernetes({
      transport: (await seed.resources.shoot(namespace)).server.transport,
      clock: systemClock,
    })
  const applied = (found: ManagedResource | undefined) =>
    found?.status?.conditions?.find(({ type }) => type === 'ResourcesApplied')
  return { seed, kubernetes, read, until, isHealthy, inShoot, applied }
}

describe('a ManagedResource', () => {
  test('a ManagedResource of class seed creates its objects in the seed and is healthy', async () => {
    const { kubernetes, until, isHealthy } = await start()
    await ensureManagedResource(kubernetes, desiredOf({ class: 'seed', injectLabels: { a: 'b' } }))
    const found = await until(isHealthy)
    expect(found?.metadata.finalizers).toEqual(['resources.gardener.cloud/gardener-resource-manager-seed'])
    expect(found?.status?.resources).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'first', namespace: 'kube-system', labels: { a: 'b' } },
    ])
    const made = await kubernetes.get(configMaps, { name: 'first', namespace: 'kube-system' })
    expect(made?.metadata).toMatchObject({
      labels: { a: 'b', 'resources.gardener.cloud/managed-by': 'gardener' },
      annotations: { 'resources.gardener.cloud/origin': `${namespace}/one` },
    })
  })

  test('a ManagedResource without a class creates its objects in the shoot, which its kubeconfig reaches', async () => {
    const { kubernetes, until, isHealthy } = await start()
    await ensureManagedResource(kubernetes, desiredOf())
    await until(isHealthy)
    expect(await kubernetes.get(configMaps, { name: 'first', namespace: 'kube-system' })).toBeUndefined()
    for (const name of ['gardener', 'gardener-internal']) {
      const secret = await kubernetes.get(secrets, { name, namespace })
      const text = Buffer.from(Object(secret?.data).kubeconfig, 'base64').toString()
      const http = httpTransport({ access: openAccess(parse(text).clusters[0].cluster.server) })
      const shoot = createKubernetes({ transport: http.send, clock: systemClock })
      expect(await shoot.get(configMaps, { name: 'first', namespace: 'kube-system' })).toBeDefined()
      http.close()
    }
  })

  test('a changed ManagedResource deletes the objects it dropped, and retains the fields that others wrote', async () => {
    const { kubernetes, until, isHealthy, inShoot } = await start()
    await ensureManagedResource(
      kubernetes,
      desiredOf({ objects: [configMap('first', { labels: { ours: '1' } }), configMap('second')] }),
    )
    await until(isHealthy)
    const shoot = await inShoot()
    const first = { name: 'first', namespace: 'kube-system' }
    await shoot.patch(configMaps, first, { metadata: { labels: { theirs: '1' } } })
    await ensureManagedResource(kubernetes, desiredOf({ objects: [configMap('first', {}, { a: '1' })] }))
    await until(isHealthy)
    expect(await shoot.get(configMaps, { ...first, name: 'second' })).toBeUndefined()
    const changed = await shoot.get(configMaps, first)
    expect(changed?.data).toEqual({ a: '1' })
    expect(changed?.metadata.labels).toEqual({
      theirs: '1',
      'resources.gardener.cloud/managed-by': 'gardener',
    })
  })

  test('a Deployment retains a requested restart, and replicas that are not desired', async () => {
    const { kubernetes, until, isHealthy, inShoot } = await start()
    const key = { name: 'one', namespace: 'kube-system' }
    const metadata = { labels: { app: 'one' } }
    const template = { metadata, spec: { containers: [{ name: 'one', image: 'example' }] } }
    const deployment = {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: key },
      spec: { selector: { matchLabels: metadata.labels }, template },
    }
    await ensureManagedResource(kubernetes, desiredOf({ objects: [deployment] }))
    await until(isHealthy)
    const shoot = await inShoot()
    const annotations = { 'kubectl.kubernetes.io/restartedAt': '2026-11-23T00:00:00Z' }
    const changed = { replicas: 3, template: { metadata: { annotations } } }
    await shoot.patch(deployments, key, { spec: changed })
    await ensureManagedResource(kubernetes, desiredOf({ objects: [deployment, configMap('second')] }))
    await until(isHealthy)
    expect((await shoot.get(deployments, key))?.spec).toMatchObject(changed)
  })

  test('an immutable object is replaced', async () => {
    const { kubernetes, until, isHealthy, inShoot } = await start()
    const fixed = (value: string) => ({ ...configMap('first', {}, { a: value }), immutable: true })
    await ensureManagedResource(kubernetes, desiredOf({ objects: [fixed('1')] }))
    await until(isHealthy)
    await ensureManagedResource(kubernetes, desiredOf({ objects: [fixed('2')] }))
    await until(isHealthy)
    const key = { name: 'first', namespace: 'kube-system' }
    expect((await (await inShoot()).get(configMaps, key))?.data).toEqual({ a: '2' })
  })

  test('a ManagedResource that forces its labels and annotations removes all others', async () => {
    const { kubernetes, until, isHealthy, inShoot } = await start()
    await ensureManagedResource(kubernetes, desiredOf())
    await until(isHealthy)
    const shoot = await inShoot()
    const first = { name: 'first', namespace: 'kube-system' }
    await shoot.patch(configMaps, first, { metadata: { annotations: { theirs: '1' } } })
    await ensureManagedResource(
      kubernetes,
      desiredOf({ forceOverwriteAnnotations: true, objects: [configMap('first', {}, { a: '1' })] }),
    )
    await until(isHealthy)
    expect((await shoot.get(configMaps, first))?.metadata.annotations).toEqual({
      'resources.gardener.cloud/description': expect.stringMatching(/^DO NOT EDIT/),
      'resources.gardener.cloud/origin': `${namespace}/one`,
    })
  })

  test('a deleted ManagedResource deletes its objects, except those marked to stay', async () => {
    const { kubernetes, until, isHealthy, inShoot } = await start()
    const staying = { annotations: { 'resources.gardener.cloud/keep-object': 'true' } }
    await ensureManagedResource(
      kubernetes,
      desiredOf({ objects: [configMap('first'), configMap('second', staying)] }),
    )
    await until(isHealthy)
    await deleteManagedResource(kubernetes, key)
    await until(found => goneWait(key, found).kind === 'over')
    const names = (await (await inShoot()).list(configMaps)).items.map(({ metadata }) => metadata.name)
    expect(names).toEqual(['second'])
  })

  test('a ManagedResource with keepObjects retains all its objects, and the moved shoot has them', async () => {
    const shoots = createShoots({ clock: systemClock })
    onTestFinished(shoots.close)
    const { kubernetes, until, isHealthy } = await start({ shoots })
    await ensureManagedResource(kubernetes, desiredOf())
    await until(isHealthy)
    await orphanObjects(kubernetes, key)
    await deleteManagedResource(kubernetes, key)
    await until(found => found === undefined)
    const other = await start({ shoots })
    const left = await (await other.inShoot()).get(configMaps, { name: 'first', namespace: 'kube-system' })
    expect(left).toBeDefined()
  })

  test('a ManagedResource waits for objects with finalizers and reports them', async () => {
    const { kubernetes, until, isHealthy, inShoot, applied } = await start()
    await ensureManagedResource(
      kubernetes,
      desiredOf({ objects: [configMap('first', { finalizers: ['a.b/c'] })] }),
    )
    await until(isHealthy)
    await deleteManagedResource(kubernetes, key)
    const pending = await until(found => applied(found)?.reason === 'DeletionPending')
    expect(goneWait(key, pending)).toMatchObject({
      message: expect.stringContaining('"v1/ConfigMap/kube-system/first" is still pending'),
    })
    const shoot = await inShoot()
    await shoot.patch(
      configMaps,
      { name: 'first', namespace: 'kube-system' },
      { metadata: { finalizers: [] } },
    )
    await until(found => found === undefined)
  })

  test('a ManagedResource reports kinds that the cluster does not serve, and applies them once it does', async () => {
    const { kubernetes, until, isHealthy, applied, inShoot } = await start()
    const snapshots = { apiVersion: 'example.com/v1', kind: 'Snapshot', metadata: { name: 'default' } }
    await ensureManagedResource(kubernetes, desiredOf({ objects: [snapshots] }))
    const failed = await until(found => applied(found)?.reason === 'ApplyFailed')
    expect(applied(failed)?.message).toContain('no matches for kind "Snapshot" in version "example.com/v1"')
    await (await inShoot()).create(resourceOf('customresourcedefinitions', 'apiextensions.k8s.io', false), {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'snapshots.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { kind: 'Snapshot', listKind: 'SnapshotList', plural: 'snapshots', singular: 'snapshot' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    })
    await until(isHealthy)
  })

  test('a ManagedResource reports a missing Secret', async () => {
    const { kubernetes, until, applied } = await start()
    await kubernetes.create(managedResourceKind.resource, {
      apiVersion: 'resources.gardener.cloud/v1alpha1',
      kind: 'ManagedResource',
      metadata: { ...key },
      spec: { secretRefs: [{ name: 'missing' }] },
    })
    await until(found => applied(found)?.reason === 'CannotReadSecret')
  })
})

describe('an injected fault', () => {
  test.each<[ResourceFault, string]>([
    ['failing', 'ResourcesApplied ApplyFailed'],
    ['unhealthy', 'ResourcesHealthy ResourceUnhealthy'],
    ['progressing', 'ResourcesProgressing ResourceProgressing'],
  ])('a ManagedResource that is %s reports why', async (fault, reason) => {
    const { kubernetes, until } = await start({ fault })
    await ensureManagedResource(kubernetes, desiredOf())
    const found = await until(one => one?.status?.conditions !== undefined)
    expect(healthyWait(key, found)).toMatchObject({ message: expect.stringContaining(reason) })
  })

  test('a failing ManagedResource has the text that marks a configuration problem', async () => {
    const { kubernetes, until, applied } = await start({ fault: 'failing' })
    await ensureManagedResource(kubernetes, desiredOf())
    const found = await until(one => applied(one)?.reason === 'ApplyFailed')
    expect(healthyWait(key, found)).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
    await deleteManagedResource(kubernetes, key)
    await until(one => applied(one)?.reason === 'DeletionFailed')
  })
})

test('a seed without ManagedResources runs no resource manager and logs no request of it', async () => {
  const { seed, kubernetes, until, isHealthy } = await start()
  const definitions = resourceOf('customresourcedefinitions', 'apiextensions.k8s.io', false)
  const servesMonitors = async () =>
    (await kubernetes.get(definitions, { name: 'servicemonitors.monitoring.coreos.com' })) !== undefined
  expect(await servesMonitors()).toBe(false)
  await ensureManagedResource(kubernetes, desiredOf())
  await until(isHealthy)
  expect(await servesMonitors()).toBe(true)
  const writes = seed.server.requests.entries().filter(({ method }) => method === 'PATCH')
  expect(writes).toEqual([])
})

describe.skipIf(!isBeside('golden'))(withBeside('golden', 'every recorded control plane'), () => {
  const folder = besidePath('golden', 'controlplane')
  // The body of a skipped suite runs too.
  const files = isBeside('golden') ? readdirSync(folder) : []
  const recorded = files.flatMap(file => {
    const { managedResources } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))
    return managedResources === undefined ? [] : [[file, managedResources] as const]
  })
  const crdsOf = () => JSON.parse(readFileSync(`${folder}/crds-3.json`, 'utf8'))

  test.each(recorded)('%s is applied completely', async (_, managedResources) => {
    const { kubernetes, until, isHealthy } = await start()
    const names = Object.keys(managedResources)
    for (const name of names) {
      const { spec, secrets: held } = managedResources[name]
      const [secret] = Object.values<{ objects: unknown; keys: object }>(held)
      const objects = Array.isArray(secret?.objects) ? secret.objects : crdsOf()
      const { secretRefs: _refs, ...flags } = spec
      await ensureManagedResource(kubernetes, {
        name,
        namespace,
        key: Object.keys(secret?.keys ?? {})[0] ?? 'key',
        objects: (objects as readonly KubernetesObject[]).map(object => inThis(object)),
        ...flags,
      })
    }
    for (const name of names) await until(isHealthy, name)
  })
})

/** Moves an object of the recording to the namespace of this test. */
const inThis = (object: KubernetesObject): KubernetesObject =>
  JSON.parse(JSON.stringify(object).replaceAll(/shoot--cp--[\w-]+/g, namespace))
