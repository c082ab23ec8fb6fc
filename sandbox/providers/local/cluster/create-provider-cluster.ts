import type { Clock } from '../../../../shared/clock/clock.ts'
import {
  createKubernetes,
  type Kubernetes,
  type KubernetesObject,
} from '../../../../shared/kubernetes/kubernetes.ts'
import { type ApiServer, createApiServer } from '../../../kubernetes/kubernetes.ts'
import { createWorkQueue } from '../../../work-queue/work-queue.ts'
import { type ClusterCall, callOf } from './cluster-call.ts'
import { ipPoolDefinition } from './definitions.ts'
import { restoreTo, snapshotOf } from './snapshot.ts'
import { workOn } from './work-on.ts'

export interface ProviderClusterOptions {
  readonly clock: Clock
  /** Factor on its durations: 1 is a real cluster. Default: 0.01. */
  readonly scale?: number
  /** Initial objects. */
  readonly objects?: readonly KubernetesObject[]
  readonly newUid?: () => string
}

/** An in-memory cluster in which pods become ready, load balancers get addresses, and deletions take time. */
export interface ProviderCluster {
  readonly server: ApiServer
  /** The client for functions. Each request counts as a call. */
  readonly kubernetes: Kubernetes
  /** Calls the listener with every received request. The returned function unsubscribes. */
  onCall(listener: (call: ClusterCall) => void): () => void
  /** Returns all stored objects except those that every cluster has. */
  snapshot(): readonly KubernetesObject[]
  /** Stores such objects without the API. */
  restore(objects: readonly KubernetesObject[]): void
  /** Stops all activity. */
  close(): void
}

/** Kinds with simulated behavior, by collection name. */
const living = ['namespaces', 'pods', 'services'] as const

export const createProviderCluster = ({
  clock,
  scale = 0.01,
  objects = [],
  newUid,
}: ProviderClusterOptions): ProviderCluster => {
  const server = createApiServer({
    clock,
    objects: [ipPoolDefinition, ...objects],
    deletionProtection: false,
    ...(newUid && { newUid }),
  })
  const ended = new AbortController()
  const controller = createKubernetes({ transport: server.controllerTransport, clock })
  const queue = createWorkQueue({
    clock,
    signal: ended.signal,
    reconcile: key => {
      const [plural = '', namespace = '', name = ''] = key.split('/')
      const { signal } = ended
      return workOn({ kubernetes: controller, clock, scale, signal }, plural, {
        name,
        ...(namespace !== '' && { namespace }),
      })
    },
    failed: () => 1_000 * scale,
  })
  server.store.subscribe((resource, { type, entry }) => {
    if (type === 'DELETED' || !living.some(plural => plural === resource)) return
    const { namespace = '', name } = entry.object.metadata
    queue.add(`${resource}/${namespace}/${name}`)
  })
  return {
    server,
    kubernetes: createKubernetes({ transport: server.transport, clock }),
    onCall: listener => server.requests.onRequest(request => listener(callOf(request))),
    snapshot: () => snapshotOf(server.store),
    restore: objects => restoreTo(server.store, objects),
    close: () => {
      ended.abort()
      server.close()
    },
  }
}
