import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { imitatedController } from '../../../functions/aws/worker/testing/imitated-controller.ts'
import { definition as backupBucket } from '../../../functions/local/backupbucket/function.ts'
import { definition as backupEntry } from '../../../functions/local/backupentry/function.ts'
import { definition as bastion } from '../../../functions/local/bastion/function.ts'
import { definition as controlPlane } from '../../../functions/local/controlplane/function.ts'
import { definition as dnsRecord } from '../../../functions/local/dnsrecord/function.ts'
import { inMemory } from '../../../functions/local/dnsrecord/name-server/name-server.ts'
import { definition as extensionSeed } from '../../../functions/local/extension-seed/function.ts'
import { definition as extensionShoot } from '../../../functions/local/extension-shoot/function.ts'
import { definition as extensionAfterWorker } from '../../../functions/local/extension-shoot-after-worker/function.ts'
import { definition as infrastructure } from '../../../functions/local/infrastructure/function.ts'
import type { LocalConnection } from '../../../functions/local/provider/local.ts'
import { definition as exposure } from '../../../functions/local/selfhostedshootexposure/function.ts'
import { definition as worker } from '../../../functions/local/worker/function.ts'
import { createProviderCluster } from '../../../sandbox/providers/local/cluster/provider-cluster.ts'
import { createNameServer } from '../../../sandbox/providers/local/name-server/name-server.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { imitatedResourceManager } from '../../../shared/resources/testing/resource-manager.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import { exampleIn, type FunctionLife } from './function-life.ts'

const core = (plural: string, group = '') => ({ group, version: 'v1', plural, namespaced: true })
const deployments = core('deployments', 'apps')
const pods = core('pods')

const resourceManager = (kubernetes: Kubernetes, namespace: string) =>
  imitatedResourceManager(kubernetes, namespace).work

const deploymentOf = (name: string, namespace: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas: 1,
    selector: { matchLabels: { role: name } },
    template: {
      metadata: { labels: { role: name } },
      spec: { containers: [{ name: 'one', image: 'example' }] },
    },
  },
})

const keyOf = ({ name, namespace = '' }: KubernetesObject['metadata']) => ({ name, namespace })

/** A namespace without a shoot or Cluster. */
const seedNamespace = 'of-no-shoot'
const withoutShoot = (kind: string, spec: object): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind,
  metadata: {
    name: 'one',
    namespace: seedNamespace,
    annotations: { 'gardener.cloud/operation': 'reconcile' },
  },
  spec,
})

const label = { metadata: { labels: { a: 'b' } } }

const extensionLife = (definition: FunctionDefinition): FunctionLife => ({
  definition,
  example: `${definition.name.replace('-', '/')}.yaml`,
  change: label,
  overtaken: ['secrets'],
  others: resourceManager,
  meanwhile: async ({ seed, cluster, namespace, untilEnded, leadAnother }) => {
    const annotations = { 'test-force-delete': 'true' }
    await cluster.kubernetes.patch(
      clusterKind.resource,
      { name: namespace },
      { spec: { shoot: { metadata: { annotations } } } },
    )
    // Another client changes an object of the function.
    const { resource } = managedResourceKind
    for (const { metadata } of (await cluster.kubernetes.list(resource, { namespace })).items)
      await cluster.kubernetes.patch(resource, keyOf(metadata), { spec: { forceOverwriteLabels: true } })
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
    await leadAnother(withoutShoot('Extension', { type: definition.types[0] }))
  },
})

/** Creates a provider cluster that already has the namespace of the shoot. */
const providerCluster = async (namespace: string): Promise<LocalConnection> => {
  const { kubernetes } = createProviderCluster({ clock: systemClock, scale: 0 })
  await kubernetes.create(
    { ...core('namespaces'), namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `infra-${namespace}` } },
  )
  return { providerCluster: kubernetes }
}

/** Returns the shoot of a Bastion and an exposure, with its existing Infrastructure. */
const shootOfInfrastructure = async (namespace: string) =>
  (await exampleIn('local/infrastructure.yaml', namespace)).filter(({ kind }) => kind !== 'Infrastructure')

const providerLives: readonly FunctionLife[] = [
  {
    definition: infrastructure,
    example: 'local/infrastructure.yaml',
    change: label,
    connection: providerCluster,
    leavesOrphans: true,
    meanwhile: async ({ namespace, orphanAnother }) => {
      const given = await exampleIn('local/infrastructure.yaml', `${namespace}-orphaned`)
      const isInfrastructure = ({ kind }: KubernetesObject) => kind === 'Infrastructure'
      const [object] = given.filter(isInfrastructure)
      const event = object && (await orphanAnother(object, ...given.filter(one => !isInfrastructure(one))))
      expect(event).toMatchObject({ type: 'Warning', reason: 'Orphaned' })
    },
  },
  {
    definition: bastion,
    example: 'local/shoot-bastion.yaml',
    change: { spec: { userData: btoa('#!/bin/sh') } },
    besides: shootOfInfrastructure,
    connection: providerCluster,
    stays: true,
  },
  {
    definition: exposure,
    example: 'local/selfhostedshootexposure.yaml',
    change: { spec: { port: 8443 } },
    besides: shootOfInfrastructure,
    connection: providerCluster,
    stays: true,
  },
]

const recordLife: FunctionLife = {
  definition: dnsRecord,
  example: 'local/dnsrecord.yaml',
  change: { spec: { values: ['203.0.113.11'] } },
  connection: async (): Promise<LocalConnection> => ({
    nameServer: inMemory(createNameServer({ zone: 'local.gardener.cloud' }).answer),
  }),
  meanwhile: ({ leadAnother }) =>
    leadAnother(
      withoutShoot('DNSRecord', {
        type: 'local',
        secretRef: { name: 'none', namespace: seedNamespace },
        name: 'seed.local.gardener.cloud',
        recordType: 'A',
        values: ['203.0.113.12'],
      }),
    ),
}

const controlPlaneLife: FunctionLife = {
  definition: controlPlane,
  example: 'local/controlplane.yaml',
  change: label,
  overtaken: ['secrets'],
  others: resourceManager,
  besides: namespace => [deploymentOf('kube-apiserver', namespace)],
  meanwhile: async ({ seed, cluster, namespace, untilEnded }) => {
    const hibernate = (enabled: boolean) =>
      cluster.kubernetes.patch(
        clusterKind.resource,
        { name: namespace },
        { spec: { shoot: { spec: { hibernation: { enabled } } } } },
      )
    await hibernate(true)
    await cluster.kubernetes.patch(
      deployments,
      { name: 'kube-apiserver', namespace },
      { spec: { replicas: 0 } },
    )
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
    await hibernate(false)
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
  },
}

/** Deletes the machine objects without the machines, and returns their state. */
const moveMachines = async (kubernetes: Kubernetes, namespace: string): Promise<object> => {
  for (const { resource } of Object.values(machineKinds)) {
    for (const { metadata } of (await kubernetes.list(resource, { namespace })).items) {
      await kubernetes.patch(resource, keyOf(metadata), { metadata: { finalizers: null } })
      await kubernetes.delete(resource, keyOf(metadata))
    }
  }
  const name = `${namespace}-pool-z1`
  const spec = { class: { kind: 'MachineClass', name: `${name}-old` } }
  const state = {
    machineDeployments: {
      [name]: {
        replicas: 1,
        machineSets: [
          {
            metadata: { name: `${name}-moved`, labels: { name } },
            spec: { replicas: 1, template: { spec } },
          },
        ],
        machines: [{ metadata: { name: `${name}-moved-abcde`, labels: { name } }, spec }],
      },
    },
  }
  return { state: gzipSync(JSON.stringify(state)).toString('base64') }
}

/** The leftovers of an aborted restore. */
const machinesWithoutOwner = (namespace: string): readonly KubernetesObject[] =>
  ['MachineSet', 'Machine'].map(kind => ({
    apiVersion: 'machine.sapcloud.io/v1alpha1',
    kind,
    metadata: { name: 'left', namespace },
    spec: {},
  }))

const workerLife: FunctionLife = {
  definition: worker,
  example: 'local/worker.yaml',
  change: label,
  overtaken: ['secrets', 'machineclasses', 'machinedeployments'],
  others: (kubernetes, namespace) => {
    const { run } = imitatedController(kubernetes, namespace, 'cloudprovider')
    return () => run()
  },
  besides: namespace => [
    deploymentOf('machine-controller-manager', namespace),
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'hangs', namespace, labels: { role: 'machine-controller-manager' } },
      spec: { containers: [{ name: 'one', image: 'example' }] },
    },
  ],
  meanwhile: async ({ seed, cluster: { kubernetes }, namespace, untilEnded }) => {
    const hibernate = (enabled: boolean) =>
      kubernetes.patch(
        clusterKind.resource,
        { name: namespace },
        { spec: { shoot: { spec: { hibernation: { enabled } } } } },
      )
    const scale = (replicas: number) =>
      kubernetes.patch(deployments, { name: 'machine-controller-manager', namespace }, { spec: { replicas } })
    await hibernate(true)
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
    await hibernate(false)
    await scale(1)
    // A hanging machine controller: it has observed a deployment, but creates nothing for it.
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
    const { MachineDeployment, MachineSet } = machineKinds
    for (const { metadata } of (await kubernetes.list(MachineSet.resource, { namespace })).items) {
      await kubernetes.patch(MachineSet.resource, keyOf(metadata), { metadata: { finalizers: null } })
      await kubernetes.delete(MachineSet.resource, keyOf(metadata))
    }
    for (const { metadata } of (await kubernetes.list(MachineDeployment.resource, { namespace })).items)
      await kubernetes.patch(
        MachineDeployment.resource,
        keyOf(metadata),
        { status: { observedGeneration: 0, availableReplicas: 0 } },
        { subresource: 'status' },
      )
    await seed.ask('reconcile')
    await seed.step()
    await seed.clock.advance(300_000)
    await seed.step()
    expect(await kubernetes.get(pods, { name: 'hangs', namespace })).toBeUndefined()
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
  },
  move: moveMachines,
  atTheEnd: machinesWithoutOwner,
}

export const localLives: readonly FunctionLife[] = [
  ...[
    { definition: backupBucket, example: 'local/backupbucket.yaml', stays: true as const },
    { definition: backupEntry, example: 'local/backupentry.yaml' },
  ].map(life => ({ ...life, change: label })),
  ...providerLives,
  recordLife,
  ...[extensionSeed, extensionShoot, extensionAfterWorker].map(extensionLife),
  controlPlaneLife,
  workerLife,
]
