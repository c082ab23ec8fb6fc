import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startResourceManager as startStandIn,
  targetOf,
} from '../../sandbox/resource-manager/resource-manager.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import type { ManagedResource } from '../../shared/contract/objects.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { httpTransport, type KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import {
  type DesiredManagedResource,
  deleteManagedResource,
  ensureManagedResource,
  healthyWait,
  orphanObjects,
} from '../../shared/resources/resources.ts'
import { define } from './definitions.ts'
import { startResourceManager } from './gardener/resource-manager.ts'
import { runWorkloads } from './gardener/workloads.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const namespace = 'shoot--foo--bar'
const core = (plural: string, group = '') => ({ group, version: 'v1', plural, namespaced: true })
const configMaps = core('configmaps')
const secrets = core('secrets')
const services = core('services')
const deployments = core('deployments', 'apps')
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const configMap = (name: string, fields: object = {}, metadata: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, ...metadata },
  data: { one: '1' },
  ...fields,
})
const deployment = (name: string, metadata: object, spec: object): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, ...metadata },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'one', image: 'example' }] },
    },
    ...spec,
  },
})

const managers = ["Gardener's resource manager", 'the stand-in of the sandbox']

describeWith('kube', 'ManagedResources on kube-apiserver,', kube => {
  describeWith('gardener', 'applied by', gardener => {
    describe.each(managers)('%s,', whose => {
      let cluster: RealCluster
      const undo: (() => unknown)[] = []
      beforeAll(async () => {
        cluster = await startRealCluster(kube)
        undo.push(cluster.close)
        await define(cluster.kubernetes, resourceCrds())
        await cluster.create([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }])
        undo.push(runWorkloads(cluster.kubernetes).close)
        if (whose === managers[0]) {
          const seed = await cluster.server.kubeconfig()
          const program = gardener.resourceManager
          const manager = await startResourceManager({ program, seed, collectEvery: '15s' })
          undo.push(manager.close)
          return
        }
        const ended = new AbortController()
        const transport = httpTransport({ access: cluster.server.access })
        const manager = startStandIn({
          kubernetes: cluster.kubernetes,
          targetOf: async name => (name === 'seed' ? targetOf(transport.send, systemClock) : undefined),
          ...{ clock: systemClock, log: silent, signal: ended.signal, scale: 0.002 },
        })
        undo.push(async () => {
          ended.abort()
          await manager.ended()
          transport.close()
        })
      })
      afterAll(async () => {
        for (const close of undo.reverse()) await close()
      })

      const resource = managedResourceKind.resource
      const key = (name: string) => ({ name, namespace })
      const read = async (name: string) =>
        (await cluster.kubernetes.get(resource, key(name))) as ManagedResource | undefined
      const ensure = (
        name: string,
        objects: readonly KubernetesObject[],
        more: Partial<DesiredManagedResource> = {},
      ) =>
        ensureManagedResource(cluster.kubernetes, {
          ...{ ...key(name), class: 'seed', key: 'chart', objects },
          ...more,
        })
      const untilHealthy = (name: string) =>
        expect.poll(async () => healthyWait(key(name), await read(name)).kind).toBe('over')
      const applied = async (...args: Parameters<typeof ensure>) => {
        await ensure(...args)
        await untilHealthy(args[0])
      }
      const again = async (name: string) => {
        await cluster.kubernetes.patch(resource, key(name), {
          metadata: { annotations: { 'gardener.cloud/operation': 'reconcile' } },
        })
      }
      const get = (of: typeof configMaps, name: string) => cluster.kubernetes.get(of, key(name))
      const conditions = async (name: string) =>
        ((await read(name))?.status?.conditions ?? [])
          .map(({ type, status, reason, message }) => [type, status, reason, message])
          .toSorted()

      test('objects have its marks, and removed ones are deleted', async () => {
        await applied('marks', [configMap('first'), configMap('second')], { injectLabels: { a: 'b' } })
        const first = await get(configMaps, 'first')
        expect(first?.metadata.labels).toEqual({ a: 'b', 'resources.gardener.cloud/managed-by': 'gardener' })
        expect(first?.metadata.annotations).toEqual({
          'resources.gardener.cloud/description': expect.stringMatching(/^DO NOT EDIT/),
          'resources.gardener.cloud/origin': expect.stringMatching(`${namespace}/marks$`),
        })
        expect((await read('marks'))?.status?.resources).toMatchObject([
          { name: 'first' },
          { name: 'second' },
        ])
        expect(await conditions('marks')).toEqual([
          ['ResourcesApplied', 'True', 'ApplySucceeded', 'All resources are applied.'],
          ['ResourcesHealthy', 'True', 'ResourcesHealthy', 'All resources are healthy.'],
          [
            'ResourcesProgressing',
            'False',
            'ResourcesRolledOut',
            'All resources have been fully rolled out.',
          ],
        ])
        await applied('marks', [configMap('second')])
        await expect.poll(() => get(configMaps, 'first')).toBeUndefined()
        await deleteManagedResource(cluster.kubernetes, key('marks'))
        await expect.poll(() => read('marks')).toBeUndefined()
        expect(await get(configMaps, 'second')).toBeUndefined()
      })

      test('orphaned objects remain, and another ManagedResource takes them over unchanged', async () => {
        await applied('orphans', [configMap('left')])
        const before = await get(configMaps, 'left')
        await orphanObjects(cluster.kubernetes, key('orphans'))
        await deleteManagedResource(cluster.kubernetes, key('orphans'))
        await expect.poll(() => read('orphans')).toBeUndefined()
        expect((await get(configMaps, 'left'))?.metadata.uid).toBe(before?.metadata.uid)
        await applied('orphans', [configMap('left')])
        expect((await get(configMaps, 'left'))?.metadata).toMatchObject({
          uid: before?.metadata.uid,
          resourceVersion: before?.metadata.resourceVersion,
        })
      })

      test('labels and annotations of others remain, and their change of data is reverted', async () => {
        await applied('others', [configMap('shared')])
        await cluster.kubernetes.patch(configMaps, key('shared'), {
          metadata: { labels: { theirs: '1' }, annotations: { theirs: '1' } },
          data: { one: '2' },
        })
        await again('others')
        await expect.poll(async () => Object(await get(configMaps, 'shared')).data).toEqual({ one: '1' })
        expect((await get(configMaps, 'shared'))?.metadata).toMatchObject({
          labels: { theirs: '1' },
          annotations: { theirs: '1' },
        })
      })

      test('replicas without a desired number, and a requested restart, are retained', async () => {
        const scaled = deployment('scaled', {}, {})
        const preserved = deployment(
          'preserved',
          { annotations: { 'resources.gardener.cloud/preserve-replicas': 'true' } },
          { replicas: 1 },
        )
        const service = {
          ...configMap('reached', { data: undefined }),
          kind: 'Service',
          spec: { ports: [{ port: 1 }] },
        }
        await applied('workloads', [scaled, preserved, service])
        const { clusterIP } = Object((await get(services, 'reached'))?.spec)
        const restarted = { 'kubectl.kubernetes.io/restartedAt': '2026-11-23T00:00:00Z' }
        const spec = { replicas: 3, template: { metadata: { annotations: restarted } } }
        for (const name of ['scaled', 'preserved'])
          await cluster.kubernetes.patch(deployments, key(name), { spec })
        await applied('workloads', [scaled, preserved, service, configMap('news')])
        expect(await get(configMaps, 'news')).toBeDefined()
        for (const name of ['scaled', 'preserved'])
          expect((await get(deployments, name))?.spec, name).toMatchObject(spec)
        expect(Object((await get(services, 'reached'))?.spec).clusterIP).toBe(clusterIP)
      })

      test('an invalid object is reported with its text, and replaced only by its annotation', async () => {
        const binding = (role: string, metadata: object = {}): KubernetesObject => ({
          ...configMap('fixed', { data: undefined }, metadata),
          ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
        })
        await applied('invalid', [binding('one')])
        await ensure('invalid', [binding('two')])
        await expect
          .poll(async () => (await conditions('invalid'))[0])
          .toEqual([
            'ResourcesApplied',
            'False',
            'ApplyFailed',
            expect.stringMatching(
              /^error during apply of object "rbac.authorization.k8s.io\/v1\/RoleBinding\/shoot--foo--bar\/fixed": RoleBinding.rbac.authorization.k8s.io "fixed" is invalid: /,
            ),
          ])
        const annotations = { 'resources.gardener.cloud/delete-on-invalid-update': 'true' }
        await applied('invalid', [binding('two', { annotations })])
        const present = await get(core('rolebindings', 'rbac.authorization.k8s.io'), 'fixed')
        expect(Object(present).roleRef.name).toBe('two')
      })

      test('an immutable object is replaced', async () => {
        await applied('immutable', [configMap('fixed', { immutable: true })])
        await applied('immutable', [configMap('fixed', { immutable: true, data: { one: '2' } })])
        expect(Object(await get(configMaps, 'fixed')).data).toEqual({ one: '2' })
      })

      test('objects with annotations for it are left alone or retained', async () => {
        const marked = (name: string, annotation: string, value: string) =>
          configMap(name, {}, { annotations: { [`resources.gardener.cloud/${annotation}`]: value } })
        await applied('annotated', [
          marked('ignored', 'mode', 'Ignore'),
          marked('retained', 'keep-object', 'true'),
          marked('untouched', 'ignore', 'true'),
        ])
        expect(await get(configMaps, 'ignored')).toBeUndefined()
        await cluster.kubernetes.patch(configMaps, key('untouched'), { data: { one: '2' } })
        await applied('annotated', [marked('untouched', 'ignore', 'true'), configMap('added')])
        expect(await get(configMaps, 'retained')).toBeDefined()
        expect(Object(await get(configMaps, 'untouched')).data).toEqual({ one: '2' })
      })

      test('Secrets that are old and unreferenced are collected, and no others', async () => {
        await applied('collected', [configMap('collected')])
        const { managedResource } = await ensure('collected', [])
        await untilHealthy('collected')
        const names = async () =>
          (await cluster.kubernetes.list(secrets, { namespace })).items
            .map(({ metadata }) => metadata.name)
            .filter(name => name.startsWith('collected-'))
        expect(await names()).toHaveLength(2)
        for (const name of await names()) {
          const secret = await get(secrets, name)
          const creationTimestamp = '2026-01-01T00:00:00Z'
          if (secret !== undefined)
            await cluster.server.store(secrets, [
              { ...secret, metadata: { ...secret.metadata, creationTimestamp } },
            ])
        }
        await expect.poll(names).toEqual([managedResource.spec?.secretRefs[0]?.name])
      })
    })
  })
})
