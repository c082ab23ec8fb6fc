import { expect } from 'vitest'
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
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import { controlPlaneLife, core, keyOf, label, resourceManager, workerLife } from './every-provider.ts'
import { exampleIn, type FunctionLife } from './function-life.ts'

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

export const localLives: readonly FunctionLife[] = [
  ...[
    { definition: backupBucket, example: 'local/backupbucket.yaml', stays: true as const },
    { definition: backupEntry, example: 'local/backupentry.yaml' },
  ].map(life => ({ ...life, change: label })),
  ...providerLives,
  recordLife,
  ...[extensionSeed, extensionShoot, extensionAfterWorker].map(extensionLife),
  controlPlaneLife({ definition: controlPlane, example: 'local/controlplane.yaml' }),
  workerLife({ definition: worker, example: 'local/worker.yaml', pool: 'pool' }),
]
