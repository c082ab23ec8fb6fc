import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { imitatedController } from '../../functions/aws/worker/testing/imitated-controller.ts'
import { annotations, apiVersion } from '../../shared/contract/constants.ts'
import { machineCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { type MachineKindName, machineKinds } from '../../shared/contract/machine-kinds.ts'
import type { Machine, Worker, WorkerPool } from '../../shared/contract/objects.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { cloudProfile, poolOf, zones } from '../worker/shoot.ts'
import { accessManifests, define, definitionsBesides, extensionDefinitions } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { type RealSeed, startRealSeed } from './real-seed.ts'
import { describeWith } from './with-part.ts'

const core = (plural: string, group = ''): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced: true,
})
const secrets = core('secrets')
const deployments = core('deployments', 'apps')
const controller = 'machine-controller-manager'
const group = 'aws.provider.extensions.gardener.cloud/v1alpha1'

const shootOf = (namespace: string): readonly KubernetesObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: {
      cloudProfile,
      seed: {},
      shoot: {
        metadata: { name: 'rose', namespace: 'garden-rose' },
        spec: { networking: { ipFamilies: ['IPv4'] }, hibernation: { enabled: false } },
        status: { technicalID: namespace },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloudprovider', namespace },
    data: { accessKeyID: btoa('AKIAEXAMPLE'), secretAccessKey: btoa('example') },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'osc-result-a', namespace },
    data: { cloud_config: btoa('#!/bin/bash\n') },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: controller, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { role: controller } },
      template: {
        metadata: { labels: { role: controller } },
        spec: { containers: [{ name: 'controller', image: 'example' }] },
      },
    },
  },
]

const workerOf = (namespace: string, pools: readonly WorkerPool[], operation: string): KubernetesObject => ({
  apiVersion,
  kind: 'Worker',
  metadata: {
    name: 'rose',
    namespace,
    annotations: { [annotations.operation]: operation, [annotations.timestamp]: new Date().toISOString() },
  },
  spec: {
    type: 'aws',
    region: 'eu-west-1',
    secretRef: { name: 'cloudprovider', namespace },
    infrastructureProviderStatus: {
      apiVersion: group,
      kind: 'InfrastructureStatus',
      ec2: { keyName: 'rose' },
      iam: { instanceProfiles: [{ purpose: 'nodes', name: 'rose-nodes' }], roles: [] },
      vpc: {
        id: 'vpc-0123456789abcdef0',
        subnets: zones.map((zone, index) => ({
          purpose: 'nodes',
          zone,
          id: `subnet-0123456789abcde0${index}`,
        })),
        securityGroups: [{ purpose: 'nodes', id: 'sg-0123456789abcdef0' }],
      },
    },
    pools,
  },
})

const before = [poolOf({ zones: ['eu-west-1a', 'eu-west-1b'] })]
/** Another class, and one zone less. */
const after = [poolOf({ zones: ['eu-west-1a'], image: '1877.4.0' })]

describeWith('kube', 'Workers on kube-apiserver', programs => {
  describe.each(extensionDefinitions)('with $whose CRDs', ({ whose, present, load }) => {
    if (!present) return test.skip('they are missing beside the repository', () => {})

    let cluster: RealCluster
    let seed: RealSeed
    const ended = new AbortController()
    const working: Promise<void>[] = []
    /** The machine controller of a namespace. It acts at once. */
    const control = (namespace: string): void => {
      const imitated = imitatedController(cluster.kubernetes, namespace, 'cloudprovider')
      const work = async () => {
        while (!ended.signal.aborted) {
          // Conflicts are resolved in the next round.
          await imitated.run().catch(() => {})
          await new Promise(resolve => setTimeout(resolve, 50))
        }
      }
      working.push(work())
    }

    const first = 'shoot--rose--first'
    const second = 'shoot--rose--second'
    beforeAll(async () => {
      cluster = await startRealCluster(programs)
      const machines =
        whose === "Gardener's" ? await definitionsBesides('machine.sapcloud.io_') : machineCrds()
      await define(cluster.kubernetes, [...(await load()), ...machines])
      await cluster.create(await accessManifests())
      for (const namespace of [first, second]) {
        await cluster.create(shootOf(namespace))
      }
      control(first)
      seed = await startRealSeed(cluster, 'Worker')
    })
    afterAll(async () => {
      ended.abort()
      await Promise.all(working)
      await seed?.close()
      await cluster?.close()
    })

    const live = async (namespace: string) =>
      (await cluster.kubernetes.get(kinds.Worker.resource, { name: 'rose', namespace })) as Worker | undefined
    const untilSucceeded = (namespace: string, type: string, generation: number) =>
      expect
        .poll(async () => {
          const { status, metadata } = (await live(namespace)) ?? {}
          return {
            type: status?.lastOperation?.type,
            state: status?.lastOperation?.state,
            error: status?.lastError?.description,
            generation: status?.observedGeneration,
            asked: metadata?.annotations?.[annotations.operation],
          }
        })
        .toEqual({ type, state: 'Succeeded', error: undefined, generation, asked: undefined })
    const ask = (namespace: string, operation: string, spec: object = {}) =>
      cluster.kubernetes.patch(
        kinds.Worker.resource,
        { name: 'rose', namespace },
        {
          metadata: {
            annotations: {
              [annotations.operation]: operation,
              [annotations.timestamp]: new Date().toISOString(),
            },
          },
          spec,
        },
      )
    const list = async (kind: MachineKindName, namespace: string) =>
      (await cluster.kubernetes.list(machineKinds[kind].resource, { namespace })).items
    const classSecrets = async (namespace: string) =>
      (
        await cluster.kubernetes.list(secrets, {
          namespace,
          labelSelector: 'gardener.cloud/purpose=machineclass',
        })
      ).items
    /** Detects an update: every write changes a version. */
    const versions = async (namespace: string) => {
      const objects = [
        ...(await list('MachineClass', namespace)),
        ...(await classSecrets(namespace)),
        ...(await list('MachineDeployment', namespace)),
      ]
      return objects.map(({ metadata }) => `${metadata.name} ${metadata.generation} ${metadata.uid}`)
    }
    const hibernate = (namespace: string, enabled: boolean) =>
      cluster.kubernetes.patch(
        clusterKind.resource,
        { name: namespace },
        { spec: { shoot: { spec: { hibernation: { enabled } } } } },
      )
    const controllerReplicas = async (namespace: string) =>
      (
        (await cluster.kubernetes.get(deployments, { name: controller, namespace }))?.spec as {
          replicas?: number
        }
      )?.replicas

    test('a Worker is created and then left unchanged, with only the permissions of the manifests', async () => {
      await cluster.kubernetes.create(kinds.Worker.resource, workerOf(first, before, 'reconcile'))
      await untilSucceeded(first, 'Create', 1)
      expect(await list('MachineDeployment', first)).toHaveLength(2)
      expect(await list('Machine', first)).toHaveLength(2)
      const written = await versions(first)
      await ask(first, 'reconcile')
      await untilSucceeded(first, 'Reconcile', 1)
      expect(await versions(first)).toEqual(written)
    })

    test('another image rolls the machines, and the old classes are deleted', async () => {
      const old = (await list('MachineClass', first)).map(({ metadata }) => metadata.name)
      await ask(first, 'reconcile', { pools: after })
      await untilSucceeded(first, 'Reconcile', 2)
      await expect.poll(() => list('MachineClass', first)).toHaveLength(1)
      const [present] = await list('MachineClass', first)
      expect(old).not.toContain(present?.metadata.name)
      expect((await classSecrets(first)).map(({ metadata }) => metadata.name)).toEqual([
        present?.metadata.name,
      ])
      expect(await list('MachineDeployment', first)).toHaveLength(1)
    })

    test('a hibernated Worker has no machines, and its machine controller has no replicas', async () => {
      await hibernate(first, true)
      await ask(first, 'reconcile')
      await expect.poll(() => controllerReplicas(first)).toBe(0)
      await untilSucceeded(first, 'Reconcile', 2)
      expect(await list('Machine', first)).toEqual([])
      await hibernate(first, false)
      await cluster.kubernetes.patch(
        deployments,
        { name: controller, namespace: first },
        { spec: { replicas: 1 } },
      )
      await ask(first, 'reconcile')
      await expect.poll(() => list('Machine', first)).toHaveLength(2)
      await untilSucceeded(first, 'Reconcile', 2)
    })

    test('a restored Worker adopts its machines', async () => {
      const name = `${second}-a-z1`
      const state = {
        machineDeployments: {
          [name]: {
            replicas: 1,
            machineSets: [
              {
                metadata: { name: `${name}-moved`, labels: { name } },
                spec: {
                  replicas: 1,
                  template: { spec: { class: { kind: 'MachineClass', name: `${name}-old` } } },
                },
              },
            ],
            machines: [
              {
                metadata: { name: `${name}-moved-abcde`, labels: { name } },
                spec: {
                  class: { kind: 'MachineClass', name: `${name}-old` },
                  providerID: 'aws:///eu-west-1/i-0123456789abcdef0',
                },
              },
            ],
          },
        },
      }
      await cluster.kubernetes.patch(
        deployments,
        { name: controller, namespace: second },
        { spec: { replicas: 0 } },
      )
      await cluster.kubernetes.create(kinds.Worker.resource, workerOf(second, after, 'wait-for-state'))
      await cluster.kubernetes.patch(
        kinds.Worker.resource,
        { name: 'rose', namespace: second },
        { status: { state: { state: gzipSync(JSON.stringify(state)).toString('base64') } } },
        { subresource: 'status' },
      )
      await ask(second, 'restore')
      const providerIds = async () =>
        ((await list('Machine', second)) as readonly Machine[]).map(({ spec }) => spec?.providerID)
      await expect.poll(providerIds).toEqual(['aws:///eu-west-1/i-0123456789abcdef0'])
      control(second)
      await untilSucceeded(second, 'Restore', 1)
      expect(await controllerReplicas(second)).toBe(1)
    })

    test('deleted Workers leave no machine object, and release their credentials', async () => {
      for (const namespace of [first, second]) {
        const key = { name: 'rose', namespace }
        await cluster.kubernetes.patch(kinds.Worker.resource, key, {
          metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
        })
        await cluster.kubernetes.delete(kinds.Worker.resource, key)
        await expect.poll(() => live(namespace)).toBeUndefined()
        for (const kind of ['Machine', 'MachineSet', 'MachineDeployment', 'MachineClass'] as const)
          expect(await list(kind, namespace), kind).toEqual([])
        expect(await classSecrets(namespace)).toEqual([])
        const credentials = await cluster.kubernetes.get(secrets, { name: 'cloudprovider', namespace })
        expect(credentials?.metadata.finalizers ?? []).toEqual([])
      }
    })
  })
})
