import { DescribeInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { machineState } from '../../sandbox/gardenlet/gardenlet.ts'
import { addImage, createAws, simulatedAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { ec2ClientOf } from '../../sandbox/providers/aws/simulator/ec2/testing/network.ts'
import { annotations, apiVersion } from '../../shared/contract/constants.ts'
import { machineCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import {
  type MachineKindName,
  type MachineObjectOf,
  machineKinds,
} from '../../shared/contract/machine-kinds.ts'
import type { Worker, WorkerPool } from '../../shared/contract/objects.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { exampleObjects } from '../running-seed.ts'
import { cloudProfile, namespace, poolOf, region } from '../worker/shoot.ts'
import { accessManifests, bestDefinitions, define, definitionsBesides } from './definitions.ts'
import { type Kubelets, kubeletsOf } from './gardener/kubelets.ts'
import { startMachineControllers } from './gardener/machine-controllers.ts'
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
const controller = 'machine-controller-manager'
const key = { name: 'three-zones', namespace }

/** The shoot before its Worker. `replicas`: those of the machine controller. */
const shootOf = async (replicas: number): Promise<readonly KubernetesObject[]> => [
  ...(await exampleObjects('infrastructure/three-zones.yaml')).map(object =>
    object.kind === 'Cluster' ? { ...object, spec: { ...Object(object.spec), cloudProfile } } : object,
  ),
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'osc-result-a', namespace },
    data: { cloud_config: btoa('token=<<BOOTSTRAP_TOKEN>> machine=<<MACHINE_NAME>>') },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: controller, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { role: controller } },
      template: {
        metadata: { labels: { role: controller } },
        spec: { containers: [{ name: 'controller', image: 'example' }] },
      },
    },
  },
]

const asked = (operation: string) => ({
  [annotations.operation]: operation,
  [annotations.timestamp]: new Date().toISOString(),
})

const pool = (change: Parameters<typeof poolOf>[0]) =>
  poolOf({ machineControllerManager: { machineHealthTimeout: '1s' }, ...change })
const before = [pool({ zones: ['eu-west-1a', 'eu-west-1b'] })]
/** Another class, and one zone less. */
const after = [pool({ zones: ['eu-west-1a'], image: '1877.4.0' })]

const seedOf = (cluster: RealCluster) => {
  const live = async () => (await cluster.kubernetes.get(kinds.Worker.resource, key)) as Worker | undefined
  const list = async <K extends MachineKindName>(kind: K) =>
    (await cluster.kubernetes.list(machineKinds[kind].resource, { namespace }))
      .items as readonly MachineObjectOf<K>[]
  const classSecrets = async () =>
    (
      await cluster.kubernetes.list(secrets, {
        namespace,
        labelSelector: 'gardener.cloud/purpose=machineclass',
      })
    ).items
  return {
    live,
    list,
    classSecrets,
    names: async (kind: MachineKindName) =>
      (await list(kind)).map(({ metadata }) => metadata.name).toSorted(),
    create: (infrastructureProviderStatus: unknown, pools: readonly WorkerPool[], operation: string) =>
      cluster.kubernetes.create(kinds.Worker.resource, {
        apiVersion,
        kind: 'Worker',
        metadata: { ...key, annotations: asked(operation) },
        spec: {
          type: 'aws',
          region,
          secretRef: { name: 'cloudprovider', namespace },
          infrastructureProviderStatus,
          pools,
        },
      }),
    ask: (operation: string, spec: object = {}) =>
      cluster.kubernetes.patch(kinds.Worker.resource, key, {
        metadata: { annotations: asked(operation) },
        spec,
      }),
    untilSucceeded: (type: string) =>
      expect
        .poll(async () => {
          const { status, metadata } = (await live()) ?? {}
          return {
            type: status?.lastOperation?.type,
            state: status?.lastOperation?.state,
            error: status?.lastError?.description,
            isCurrent: status?.observedGeneration === metadata?.generation,
            asked: metadata?.annotations?.[annotations.operation],
          }
        })
        .toEqual({ type, state: 'Succeeded', error: undefined, isCurrent: true, asked: undefined }),
    health: async () =>
      ((await live())?.status?.conditions ?? []).find(({ type }) => type === 'EveryNodeReady'),
    /** Detects an update: every write changes a version. */
    versions: async () =>
      [...(await list('MachineClass')), ...(await classSecrets()), ...(await list('MachineDeployment'))].map(
        ({ metadata }) => `${metadata.name} ${metadata.generation} ${metadata.uid}`,
      ),
    hibernate: (enabled: boolean) =>
      cluster.kubernetes.patch(
        clusterKind.resource,
        { name: namespace },
        { spec: { shoot: { spec: { hibernation: { enabled } } } } },
      ),
    controllerReplicas: async () =>
      Object((await cluster.kubernetes.get(deployments, { name: controller, namespace }))?.spec).replicas,
    scaleController: (replicas: number) =>
      cluster.kubernetes.patch(deployments, { name: controller, namespace }, { spec: { replicas } }),
  }
}

describeWith('kube', 'Workers on kube-apiserver,', kube => {
  describeWith('gardener', "with Gardener's machine controllers,", gardener => {
    describe.each(bestDefinitions)('with $whose CRDs', ({ whose, load }) => {
      const fast = { durations: { scale: 0.01 } }
      const aws = createAws({ ec2: fast, iam: fast })
      const ec2 = ec2ClientOf(aws)
      let clusters: readonly [seed: RealCluster, target: RealCluster, shoot: RealCluster]
      let kubelets: Kubelets
      let seed: ReturnType<typeof seedOf>
      let infrastructure: unknown
      const undo: (() => Promise<void>)[] = []
      const opened = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
        const one = await opening
        undo.push(one.close)
        return one
      }
      beforeAll(async () => {
        addImage(aws.account(), region, {
          ...{ id: 'ami-0bbbbbbbbbbbbbbb1', name: 'gardenlinux-1877.4.0', architecture: 'x86_64' },
          ...{ rootDeviceName: '/dev/xvda', rootSize: 8 },
        })
        const start = () => opened(startRealCluster(kube))
        clusters = await Promise.all([start(), start(), start()])
        const [first, target, shoot] = clusters
        const machines =
          whose === "Gardener's" ? await definitionsBesides('machine.sapcloud.io_') : machineCrds()
        for (const cluster of [first, target]) {
          await define(cluster.kubernetes, [...(await load()), ...machines])
          await cluster.create(await accessManifests())
        }
        await first.create(await shootOf(1))
        await target.create((await shootOf(0)).filter(({ kind }) => kind !== 'Infrastructure'))
        await opened(startRealSeed(first, 'Infrastructure,Worker', aws))
        await opened(startRealSeed(target, 'Worker', aws))
        const cloud = simulatedAws(aws).machines?.(0.01)
        if (cloud === undefined) throw new Error('AWS has no machines')
        kubelets = kubeletsOf(cloud, shoot.kubernetes)
        undo.push(kubelets.close)
        const shootKubeconfig = await shoot.server.kubeconfig()
        for (const one of [first, target])
          await opened(
            startMachineControllers({
              ...{ programs: gardener, seed: one, namespace, cloud: kubelets.cloud },
              shoot: shootKubeconfig,
            }),
          )
        seed = seedOf(first)
        await vi.waitFor(
          async () => {
            const found = await first.kubernetes.get(kinds.Infrastructure.resource, key)
            const { providerStatus, lastOperation } = Object(found?.status)
            expect(lastOperation).toMatchObject({ state: 'Succeeded' })
            infrastructure = providerStatus
          },
          { timeout: 180_000 },
        )
      })
      afterAll(async () => {
        for (const close of undo.reverse()) await close()
      })

      const instances = async () => {
        const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}))
        return Reservations.flatMap(({ Instances = [] }) => Instances)
          .filter(({ State }) => State?.Name === 'pending' || State?.Name === 'running')
          .map(({ InstanceId = '' }) => InstanceId)
          .toSorted()
      }
      const shootNodes = async () => (await clusters[2].kubernetes.list(nodes)).items

      test('a Worker is created and then left unchanged, with only the permissions of the manifests', async () => {
        await seed.create(infrastructure, before, 'reconcile')
        await seed.untilSucceeded('Create')
        expect(await seed.list('MachineDeployment')).toHaveLength(2)
        expect(await instances()).toHaveLength(2)
        expect(await shootNodes()).toHaveLength(2)
        for (const { metadata } of await seed.list('Machine'))
          expect(kubelets.userData.get(metadata.name)).toMatch(
            new RegExp(`^token=[0-9a-z]{6}\\.[0-9a-z]{16} machine=${metadata.name}$`),
          )
        const written = await seed.versions()
        await seed.ask('reconcile')
        await seed.untilSucceeded('Reconcile')
        expect(await seed.versions()).toEqual(written)
      })

      test('a change of labels, of the limits, and by the autoscaler rolls no machine', async () => {
        const machines = await seed.names('Machine')
        const [one] = before
        const larger = {
          ...{ ...one, minimum: 2, maximum: 4, labels: { ...one?.labels, color: 'red' } },
          clusterAutoscaler: { scaleDownUnneededTime: '10m' },
        }
        await seed.ask('reconcile', { pools: [larger] })
        await seed.untilSucceeded('Reconcile')
        // The autoscaler sets the replicas.
        const [scaled] = await seed.list('MachineDeployment')
        await clusters[0].kubernetes.patch(
          machineKinds.MachineDeployment.resource,
          { name: scaled?.metadata.name ?? '', namespace },
          { spec: { replicas: 2 } },
        )
        await expect.poll(instances).toHaveLength(3)
        await seed.ask('reconcile')
        await seed.untilSucceeded('Reconcile')
        expect(await seed.names('Machine')).toEqual(expect.arrayContaining([...machines]))
        expect(await instances()).toHaveLength(3)
        for (const { metadata } of await seed.list('MachineDeployment'))
          expect(metadata.annotations).toMatchObject({
            'autoscaler.gardener.cloud/scale-down-unneeded-time': '10m0s',
          })
        await expect
          .poll(async () => (await shootNodes()).map(({ metadata }) => metadata.labels?.color))
          .toEqual(['red', 'red', 'red'])
        await seed.ask('reconcile', { pools: before })
        await seed.untilSucceeded('Reconcile')
        await expect.poll(instances).toHaveLength(2)
        await expect.poll(() => seed.names('Machine')).toHaveLength(2)
      })

      test('another image rolls the machines once, and the old classes are deleted', async () => {
        const old = await seed.names('MachineClass')
        aws.calls.clear()
        await seed.ask('reconcile', { pools: after })
        await seed.untilSucceeded('Reconcile')
        await expect.poll(() => seed.names('MachineClass')).toHaveLength(1)
        const [present = ''] = await seed.names('MachineClass')
        expect(old).not.toContain(present)
        expect((await seed.classSecrets()).map(({ metadata }) => metadata.name)).toEqual([present])
        expect(await seed.list('MachineDeployment')).toHaveLength(1)
        await expect.poll(instances).toHaveLength(2)
        const launches = () => aws.calls.all().filter(({ action }) => action === 'RunInstances').length
        expect(launches()).toBe(2)
        await seed.ask('reconcile', { pools: after })
        await seed.untilSucceeded('Reconcile')
        expect(launches()).toBe(2)
      })

      test('a machine that cannot be created is reported with the code of its error', async () => {
        aws.faults.add({
          action: 'RunInstances',
          times: null,
          effect: { kind: 'error', code: 'VcpuLimitExceeded', status: 400 },
        })
        const [one] = after
        await seed.ask('reconcile', { pools: [{ ...one, minimum: 3, maximum: 3 }] })
        await expect
          .poll(async () => (await seed.live())?.status?.lastError?.codes)
          .toEqual(['ERR_INFRA_QUOTA_EXCEEDED'])
        await expect.poll(async () => (await seed.health())?.status).toBe('False')
        aws.faults.clear()
        await seed.ask('reconcile', { pools: after })
        await seed.untilSucceeded('Reconcile')
        await expect.poll(async () => (await seed.health())?.status).toBe('True')
      })

      test('a machine whose instance disappears is replaced', async () => {
        const machines = await seed.names('Machine')
        const [lost = ''] = await instances()
        await ec2.send(new TerminateInstancesCommand({ InstanceIds: [lost] }))
        await expect.poll(async () => (await seed.health())?.status).toBe('False')
        await expect
          .poll(async () => (await seed.names('Machine')).filter(name => machines.includes(name)))
          .toHaveLength(1)
        await expect.poll(instances).toHaveLength(2)
        await expect.poll(async () => (await seed.health())?.status).toBe('True')
      })

      test('a hibernated Worker has no machines, and its machine controller has no replicas', async () => {
        await seed.hibernate(true)
        await seed.ask('reconcile')
        await expect.poll(() => seed.controllerReplicas()).toBe(0)
        await seed.untilSucceeded('Reconcile')
        expect(await seed.list('Machine')).toEqual([])
        expect(await instances()).toEqual([])
        await seed.hibernate(false)
        await seed.scaleController(1)
        await seed.ask('reconcile')
        await expect.poll(() => seed.list('Machine')).toHaveLength(2)
        await seed.untilSucceeded('Reconcile')
        expect(await instances()).toHaveLength(2)
      })

      test('a restored Worker adopts its machines on another seed, and creates none', async () => {
        const machines = await seed.names('Machine')
        const running = await instances()
        await seed.scaleController(0)
        await seed.ask('migrate')
        await seed.untilSucceeded('Migrate')
        const state = await machineState(clusters[0].kubernetes, namespace)
        const target = seedOf(clusters[1])
        aws.calls.clear()
        await target.create(infrastructure, after, 'wait-for-state')
        await clusters[1].kubernetes.patch(
          kinds.Worker.resource,
          key,
          { status: { state } },
          { subresource: 'status' },
        )
        await target.ask('restore')
        await target.untilSucceeded('Restore')
        expect(await target.controllerReplicas()).toBe(1)
        await target.ask('reconcile')
        await target.untilSucceeded('Reconcile')
        expect(await target.names('Machine')).toEqual(machines)
        expect(await target.names('MachineSet')).toEqual(await seed.names('MachineSet'))
        expect(await instances()).toEqual(running)
        const actions = aws.calls.all().map(({ action }) => action)
        expect(actions.filter(action => /^(?:Run|Terminate)/.test(action))).toEqual([])
        seed = target
      })

      test('a deleted Worker leaves no machine object, no instance, and releases its credentials', async () => {
        const { kubernetes } = clusters[1]
        await kubernetes.patch(kinds.Worker.resource, key, {
          metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
        })
        await kubernetes.delete(kinds.Worker.resource, key)
        await expect.poll(() => seed.live()).toBeUndefined()
        for (const kind of ['Machine', 'MachineSet', 'MachineDeployment', 'MachineClass'] as const)
          expect(await seed.list(kind), kind).toEqual([])
        expect(await seed.classSecrets()).toEqual([])
        expect(await instances()).toEqual([])
        expect(await shootNodes()).toEqual([])
        const credentials = await kubernetes.get(secrets, { name: 'cloudprovider', namespace })
        expect(credentials?.metadata.finalizers ?? []).toEqual([])
      })
    })
  })
})
