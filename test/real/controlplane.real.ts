import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definition } from '../../functions/aws/controlplane/function.ts'
import { clusterOf, controlPlaneOf } from '../../functions/aws/controlplane/testing/control-plane.ts'
import { looseDefinitions } from '../../sandbox/resource-manager/resource-manager.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { ControlPlane, ManagedResource } from '../../shared/contract/objects.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { healthyWait, readManifests } from '../../shared/resources/resources.ts'
import { everything } from './control-plane-objects.ts'
import { accessManifests, bestDefinitions, define, definitionsBesides } from './definitions.ts'
import { startResourceManager } from './gardener/resource-manager.ts'
import { runWorkloads } from './gardener/workloads.ts'
import { forbiddenOf, grantsOf, usedOf } from './grants.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { startRealSeed } from './real-seed.ts'
import { describeWith } from './with-part.ts'

const core = (plural: string, group = ''): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced: true,
})
const secrets = core('secrets')
const deployments = core('deployments', 'apps')
const nodes = { ...core('nodes'), namespaced: false }
const { resource } = kinds.ControlPlane
const managedResources = managedResourceKind.resource
const planted = 'notARealSecretAccessKey'

const shootOf = (namespace: string): readonly KubernetesObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  { ...clusterOf(everything), metadata: { name: namespace } } as unknown as KubernetesObject,
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloudprovider', namespace },
    data: { accessKeyID: btoa('AKIAEXAMPLE'), secretAccessKey: btoa(planted) },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'kube-apiserver', namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { role: 'apiserver' } },
      template: {
        metadata: { labels: { role: 'apiserver' } },
        spec: { containers: [{ name: 'kube-apiserver', image: 'example' }] },
      },
    },
  },
]

const availability = 'high-availability-config.resources.gardener.cloud'

/** Lets the resource manager change the Deployments of shoots, as gardenlet configures it. */
const highAvailabilityWebhook = ({
  url,
  ca,
}: {
  readonly url: string
  readonly ca: string
}): KubernetesObject =>
  ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'gardener-resource-manager' },
    webhooks: [
      {
        name: availability,
        admissionReviewVersions: ['v1'],
        clientConfig: { url: `${url}/high-availability-config`, caBundle: btoa(ca) },
        namespaceSelector: { matchLabels: { [`${availability}/consider`]: 'true' } },
        rules: [
          {
            ...{ apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] },
            operations: ['CREATE', 'UPDATE'],
          },
        ],
        sideEffects: 'None',
      },
    ],
  }) as KubernetesObject

const asked = (operation: string) => ({
  [annotations.operation]: operation,
  [annotations.timestamp]: new Date().toISOString(),
})

const name = 'bar'
const newControlPlane = (namespace: string, operation: string): KubernetesObject => {
  const { spec, ...object } = controlPlaneOf(everything)
  return {
    ...object,
    metadata: { name, namespace, annotations: asked(operation) },
    spec: { ...spec, secretRef: { name: 'cloudprovider', namespace } },
  }
}

describeWith('kube', 'ControlPlanes on kube-apiserver,', kube => {
  describeWith('gardener', "with Gardener's resource manager,", gardener => {
    describe.each(bestDefinitions)('with $whose CRDs', ({ whose, load }) => {
      let cluster: RealCluster
      let shoot: RealCluster
      const undo: (() => Promise<void>)[] = []
      const opened = async <T extends { close(): Promise<void> }>(opening: T | Promise<T>): Promise<T> => {
        const one = await opening
        undo.push(one.close)
        return one
      }

      const first = 'shoot--foo--first'
      const forced = 'shoot--foo--forced'
      beforeAll(async () => {
        cluster = await opened(
          startRealCluster(kube, { audited: [{ namespace: 'trellis', name: definition.name }] }),
        )
        shoot = await opened(startRealCluster(kube))
        const ofResources =
          whose === "Gardener's" ? await definitionsBesides('resources.gardener.cloud_') : resourceCrds()
        await define(cluster.kubernetes, [...(await load()), ...ofResources, ...looseDefinitions('seed')])
        await define(shoot.kubernetes, looseDefinitions('shoot'))
        await cluster.create(await accessManifests())
        for (const namespace of [first, forced]) await cluster.create(shootOf(namespace))
        const kubeconfig = await shoot.server.kubeconfig()
        await cluster.create([
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: 'gardener-internal', namespace: first },
            data: { kubeconfig: btoa(await readFile(kubeconfig, 'utf8')) },
          },
        ])
        await shoot.create([{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } }])
        const left = { type: 'NetworkUnavailable', status: 'False', reason: 'CalicoIsUp', message: 'Calico' }
        await shoot.kubernetes.patch(
          nodes,
          { name: 'node-1' },
          { status: { conditions: [left] } },
          { subresource: 'status' },
        )
        const manager = {
          ...{ program: gardener.resourceManager, seed: await cluster.server.kubeconfig() },
          ...{ syncPeriod: '15s', collectEvery: '15s' },
        }
        const { webhooks } = await opened(startResourceManager(manager))
        await cluster.create([highAvailabilityWebhook(webhooks)])
        await cluster.kubernetes.patch(
          { ...core('namespaces'), namespaced: false },
          { name: first },
          { metadata: { labels: { [`${availability}/consider`]: 'true' } } },
        )
        await opened(startResourceManager({ ...manager, shoot: { namespace: first, kubeconfig } }))
        for (const one of [cluster, shoot]) await opened(runWorkloads(one.kubernetes))
        await opened(startRealSeed(cluster, 'ControlPlane'))
      })
      afterAll(async () => {
        for (const close of undo.reverse()) await close()
      })

      const live = async (namespace: string) =>
        (await cluster.kubernetes.get(resource, { name, namespace })) as ControlPlane | undefined
      /** Returns `held` while a step works. */
      const dueOf = (object: ControlPlane | undefined): string | undefined => {
        if (object === undefined) return undefined
        const work = dueWork('ControlPlane', object, Date.now())
        return work.kind === 'later' && work.held ? 'held' : work.kind
      }
      /** `due`: the work that is due afterwards. */
      const untilSucceeded = (namespace: string, type: string, due = 'none') =>
        expect
          .poll(async () => {
            const object = await live(namespace)
            const { status, metadata } = object ?? {}
            return {
              type: status?.lastOperation?.type,
              state: status?.lastOperation?.state,
              error: status?.lastError?.description,
              asked: metadata?.annotations?.[annotations.operation],
              due: dueOf(object),
            }
          })
          .toEqual({ type, state: 'Succeeded', error: undefined, asked: undefined, due })
      const ask = (namespace: string, operation: string) =>
        cluster.kubernetes.patch(
          resource,
          { name, namespace },
          { metadata: { annotations: asked(operation) } },
        )
      const changeShoot = (namespace: string, shoot: object) =>
        cluster.kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot } })
      const listManaged = async (namespace: string) =>
        (await cluster.kubernetes.list(managedResources, { namespace })).items as readonly ManagedResource[]
      const generated = async (namespace: string) =>
        (
          await cluster.kubernetes.list(secrets, {
            namespace,
            labelSelector: 'managed-by=secrets-manager',
          })
        ).items
      const named = async (namespace: string) =>
        (await generated(namespace)).map(({ metadata }) => metadata.name).toSorted()
      const authorities = async (namespace: string) =>
        (await generated(namespace)).filter(({ metadata }) => metadata.labels?.persist === 'true')
      const objectsOf = async (namespace: string): Promise<readonly KubernetesObject[]> => {
        const objects = (await listManaged(namespace)).map(async ({ spec }) => {
          const secretName = spec?.secretRefs[0]?.name ?? ''
          const secret = await cluster.kubernetes.get(secrets, { name: secretName, namespace })
          return (await readManifests(Object(secret?.data))) as readonly KubernetesObject[]
        })
        return (await Promise.all(objects)).flat()
      }
      const replicasOf = async (deployment: string) =>
        Object(
          (await objectsOf(first)).find(
            ({ kind, metadata }) => kind === 'Deployment' && metadata.name === deployment,
          )?.spec,
        ).replicas
      const versionsOf = (objects: readonly KubernetesObject[]) =>
        objects.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`)
      const untilHealthy = () =>
        expect
          .poll(async () =>
            (await listManaged(first)).flatMap(object => {
              const wait = healthyWait({ name: object.metadata.name, namespace: first }, object)
              return wait.kind === 'over' ? [] : [wait]
            }),
          )
          .toEqual([])
      /** Returns the objects of all ManagedResources from the cluster of their class. */
      const applied = async (): Promise<readonly KubernetesObject[]> => {
        const found: KubernetesObject[] = []
        for (const { spec, status } of await listManaged(first)) {
          const { kubernetes, resourceOf } = spec?.class === 'seed' ? cluster : shoot
          for (const { apiVersion = '', kind = '', name: of = '', namespace } of status?.resources ?? []) {
            const served = await resourceOf({ apiVersion, kind })
            // The manager notes a namespace for any kind that it does not know yet.
            const object = await kubernetes.get(served, {
              ...{ name: of, ...(namespace && served.namespaced && { namespace }) },
            })
            if (object !== undefined) found.push({ ...object, kind })
          }
        }
        return found
      }
      const remove = async (namespace: string) => {
        const key = { name, namespace }
        const confirmed = { [annotations.deletionConfirmation]: 'true' }
        await cluster.kubernetes.patch(resource, key, { metadata: { annotations: confirmed } })
        await cluster.kubernetes.delete(resource, key)
        await expect.poll(() => live(namespace)).toBeUndefined()
      }

      test('a ControlPlane is created with objects that API servers accept, and remains of Calico are cleaned up', async () => {
        await cluster.kubernetes.create(resource, newControlPlane(first, 'reconcile'))
        await untilSucceeded(first, 'Create')
        expect(await listManaged(first)).toHaveLength(5)
        expect(await generated(first)).toHaveLength(4)
        const objects = await objectsOf(first)
        expect(objects.length).toBeGreaterThan(80)
        await untilHealthy()
        const there = await applied()
        expect(there.length).toBe(objects.length)
        const labels = there.map(({ metadata }) => metadata.labels?.['resources.gardener.cloud/managed-by'])
        expect(new Set(labels)).toEqual(new Set(['gardener']))
        const node = await shoot.kubernetes.get(nodes, { name: 'node-1' })
        expect(Object(node?.status).conditions ?? []).toEqual([])
      })

      test('the resource manager and the function write nothing again', async () => {
        // The kubelets and controllers of a real cluster would write statuses too.
        const present = async () => versionsOf([...(await listManaged(first)), ...(await applied())])
        const before = await present()
        const changed = await cluster.kubernetes.get(deployments, {
          name: 'cloud-controller-manager',
          namespace: first,
        })
        // Added by its webhook for high availability.
        expect(Object(changed?.spec).template.spec.tolerations).toContainEqual({
          ...{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
          tolerationSeconds: 60,
        })
        await ask(first, 'reconcile')
        await untilSucceeded(first, 'Reconcile')
        // A sync of the resource manager.
        await new Promise(resolve => setTimeout(resolve, 16_000))
        expect(await present()).toEqual(before)
      })

      test('a hibernated ControlPlane has no controllers once its API server is down, and has them again when awake', async () => {
        await changeShoot(first, { spec: { hibernation: { enabled: true } } })
        await ask(first, 'reconcile')
        // It polls whether the API server is down.
        await untilSucceeded(first, 'Reconcile', 'later')
        expect(await replicasOf('cloud-controller-manager')).toBe(1)
        const apiServer = { name: 'kube-apiserver', namespace: first }
        await cluster.kubernetes.patch(deployments, apiServer, { spec: { replicas: 0 } })
        await expect.poll(() => replicasOf('cloud-controller-manager')).toBe(0)
        await untilSucceeded(first, 'Reconcile')
        await cluster.kubernetes.patch(deployments, apiServer, { spec: { replicas: 1 } })
        await changeShoot(first, { spec: { hibernation: { enabled: false } } })
        await ask(first, 'reconcile')
        await untilSucceeded(first, 'Reconcile')
        expect(await replicasOf('cloud-controller-manager')).toBe(1)
      })

      test('a rotation of the CAs first has both CAs, and then only the new one', async () => {
        const [before] = await authorities(first)
        const rotation = (phase: string) => ({
          status: {
            credentials: {
              rotation: {
                certificateAuthorities: {
                  phase,
                  lastInitiationTime: '2026-11-21T12:00:00Z',
                  ...(phase === 'Completing' && { lastCompletionTriggeredTime: '2026-11-21T13:00:00Z' }),
                },
              },
            },
          },
        })
        await changeShoot(first, rotation('Preparing'))
        await ask(first, 'reconcile')
        await untilSucceeded(first, 'Reconcile')
        expect(await authorities(first)).toHaveLength(2)
        await changeShoot(first, rotation('Completing'))
        await ask(first, 'reconcile')
        await untilSucceeded(first, 'Reconcile')
        const after = await authorities(first)
        expect(after).toHaveLength(1)
        expect(after[0]?.metadata.name).not.toBe(before?.metadata.name)
      })

      test('a migrated ControlPlane leaves only the CA behind, and adopts it again in the target seed', async () => {
        const [ca] = await authorities(first)
        await ask(first, 'migrate')
        await untilSucceeded(first, 'Migrate')
        // The owner deletes the ManagedResources of the seed.
        await expect.poll(() => listManaged(first)).toEqual([])
        expect(await named(first)).toEqual([ca?.metadata.name])
        await remove(first)
        await cluster.kubernetes.create(resource, newControlPlane(first, 'restore'))
        await untilSucceeded(first, 'Restore')
        expect(await listManaged(first)).toHaveLength(5)
        expect((await authorities(first)).map(({ data }) => data)).toEqual([ca?.data])
      })

      test('a forced deletion does not wait for the resource manager', async () => {
        await cluster.kubernetes.create(resource, newControlPlane(forced, 'reconcile'))
        // No controller works there, so it waits for its configuration.
        await expect.poll(() => listManaged(forced)).toHaveLength(1)
        const held = 'resources.gardener.cloud/gardener-resource-manager'
        const [stuck] = await listManaged(forced)
        await cluster.kubernetes.patch(
          managedResources,
          { name: stuck?.metadata.name ?? '', namespace: forced },
          { metadata: { finalizers: [held] } },
        )
        await changeShoot(forced, {
          metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } },
        })
        await remove(forced)
        expect(await generated(forced)).toEqual([])
        const [leaving] = await listManaged(forced)
        expect(leaving?.metadata.deletionTimestamp).toBeDefined()
      })

      test('a deleted ControlPlane retains only the credentials', async () => {
        await remove(first)
        // The owner deletes the ManagedResources of the seed.
        await expect.poll(() => listManaged(first)).toEqual([])
        const { items } = await cluster.kubernetes.list(secrets, { namespace: first })
        // No garbage collector runs here.
        const collectable = 'resources.gardener.cloud/garbage-collectable-reference'
        const left = items.filter(({ metadata }) => metadata.labels?.[collectable] === undefined)
        expect(left.map(({ metadata }) => metadata.name).toSorted()).toEqual([
          'cloudprovider',
          'gardener-internal',
        ])
        expect(left[0]?.metadata.finalizers ?? []).toEqual([])
      })

      test('the function makes no forbidden request, and uses all its permissions', async () => {
        const requests = await cluster.server.audited()
        expect(forbiddenOf(requests)).toEqual([])
        expect(usedOf(requests)).toEqual(grantsOf(definition))
      })
    })
  })
})
