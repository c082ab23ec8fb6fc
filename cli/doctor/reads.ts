import { machineGroup } from '../../shared/contract/constants.ts'
import { clusterKind, type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'
import type { GroupVersionResource } from '../../shared/kubernetes/kubernetes.ts'

/** The scope of a read: the whole cluster, the namespace of Trellis, or each namespace of an extension. */
type ReadScope = 'cluster' | 'own namespace' | 'namespaces of extensions'

export interface SeedRead {
  readonly resource: GroupVersionResource
  readonly scope: ReadScope
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** True: only the metadata is retained. */
  readonly onlyMetadata?: true
}

const resource = (
  group: string,
  plural: string,
  { version = 'v1', namespaced = true }: { readonly version?: string; readonly namespaced?: boolean } = {},
): GroupVersionResource => ({ group, version, plural, namespaced })

const admission = (plural: string): SeedRead => ({
  resource: resource('admissionregistration.k8s.io', plural, { namespaced: false }),
  scope: 'cluster',
})

const own = (group: string, plural: string): SeedRead => ({
  resource: resource(group, plural),
  scope: 'own namespace',
})

/** Gardener uses this name for the Lease of every extension (docs/contract/health.md#what-is-outdated). */
const heartbeatName = 'gardener-extension-heartbeat'

const readsBesideObjects = {
  definitions: {
    resource: resource('apiextensions.k8s.io', 'customresourcedefinitions', { namespaced: false }),
    scope: 'cluster',
  },
  brokers: own('eventing.knative.dev', 'brokers'),
  channels: own('messaging.knative.dev', 'inmemorychannels'),
  triggers: own('eventing.knative.dev', 'triggers'),
  services: own('serving.knative.dev', 'services'),
  sinkBindings: own('sources.knative.dev', 'sinkbindings'),
  deployments: own('apps', 'deployments'),
  pods: own('', 'pods'),
  coreServices: own('', 'services'),
  leases: own('coordination.k8s.io', 'leases'),
  certificates: { ...own('', 'secrets'), labelSelector: 'managed-by=secrets-manager' },
  mutatingWebhooks: admission('mutatingwebhookconfigurations'),
  validatingWebhooks: admission('validatingwebhookconfigurations'),
  heartbeats: {
    resource: resource('coordination.k8s.io', 'leases'),
    scope: 'cluster',
    fieldSelector: `metadata.name=${heartbeatName}`,
  },
  extensionNamespaces: {
    resource: resource('', 'namespaces', { namespaced: false }),
    scope: 'cluster',
    labelSelector: 'gardener.cloud/role=extension',
  },
  /** Only a garden has them, and a seed that is also a garden. */
  registrations: {
    resource: resource('core.gardener.cloud', 'controllerregistrations', {
      version: 'v1beta1',
      namespaced: false,
    }),
    scope: 'cluster',
  },
  clusters: { resource: clusterKind.resource, scope: 'cluster', onlyMetadata: true },
  extensionDeployments: { resource: resource('apps', 'deployments'), scope: 'namespaces of extensions' },
} as const satisfies Readonly<Record<string, SeedRead>>

/** A read of objects of a kind, such as `DNSRecord`, or of others, such as `brokers`. */
export type ReadName = keyof typeof readsBesideObjects | KindName

/** All reads of a seed; doctor never writes. */
export const seedReads: Readonly<Record<ReadName, SeedRead>> = {
  ...readsBesideObjects,
  ...(Object.fromEntries(
    kindNames.map(kind => [kind, { resource: kinds[kind].resource, scope: 'cluster' }]),
  ) as unknown as Readonly<Record<KindName, SeedRead>>),
}

/** The groups of definitions that a seed of Gardener has. */
export const machineResources: readonly string[] = [
  'machineclasses',
  'machinedeployments',
  'machinesets',
  'machines',
].map(plural => `${plural}.${machineGroup}`)
