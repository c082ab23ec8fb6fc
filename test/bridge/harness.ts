import { type ApiServer, createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { annotations, apiVersion, labels } from '../../shared/contract/constants.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { startRecordingBridge } from './recording-bridge.ts'

/** Created once for all seeds, because it takes longer than most steps. */
const crds = allCrds()

export const namespace = 'shoot--foo--bar'
export const namespaces: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  namespaced: false,
}

/** Returns a DNSRecord in gardenlet's form, with a reconcile request. */
export const record = (name: string): KubernetesObject => ({
  apiVersion,
  kind: 'DNSRecord',
  metadata: {
    name,
    namespace,
    annotations: {
      [annotations.operation]: 'reconcile',
      [annotations.timestamp]: '2026-11-21T12:00:00.123456789Z',
    },
  },
  spec: {
    type: 'test',
    secretRef: { name: 'credentials', namespace },
    name: `${name}.example.com`,
    recordType: 'A',
    values: ['192.0.2.1'],
  },
})

/** The objects of a shoot in a seed before its extension objects. */
export const shootObjects: readonly (readonly [GroupVersionResource, KubernetesObject])[] = [
  [
    namespaces,
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
    },
  ],
  [
    clusterKind.resource,
    {
      apiVersion,
      kind: 'Cluster',
      metadata: { name: namespace },
      spec: { cloudProfile: {}, seed: {}, shoot: {} },
    },
  ],
]

export interface BridgeOnServer {
  readonly clock: VirtualClock
  readonly server: ApiServer
  readonly kubernetes: Kubernetes
  readonly events: readonly ExtensionEvent[]
  create(name: string): Promise<KubernetesObject>
  ask(name: string): Promise<KubernetesObject>
  close(): Promise<void>
}

/**
 * Starts a bridge for DNSRecords against the API server of the sandbox, on a virtual clock. Its sink accepts
 * everything.
 */
export const bridgeOnServer = async (prepare?: (server: ApiServer) => void): Promise<BridgeOnServer> => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
  const server = createApiServer({ clock, objects: crds })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  for (const [resource, object] of shootObjects) await kubernetes.create(resource, object)
  prepare?.(server)
  const bridge = startRecordingBridge(kubernetes, clock)
  await clock.advance(100)
  return {
    clock,
    server,
    kubernetes,
    events: bridge.events,
    create: name => kubernetes.create(kinds.DNSRecord.resource, record(name)),
    ask: name =>
      kubernetes.patch(
        kinds.DNSRecord.resource,
        { name, namespace },
        { metadata: { annotations: { [annotations.operation]: 'reconcile' } } },
      ),
    close: async () => {
      let ended = false
      void bridge.stop().then(() => {
        ended = true
      })
      while (!ended) await clock.advance(500)
      server.close()
    },
  }
}
