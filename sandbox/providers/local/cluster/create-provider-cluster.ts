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
  /** Factor on its durations: 1 is a real cluster; a hundredth when absent. */
  readonly scale?: number
  /** Objects that exist from the start. */
  readonly objects?: readonly KubernetesObject[]
  readonly newUid?: () => string
}

/** A cluster in memory in which pods get ready, load balancers get addresses, and what is deleted takes its time. */
export interface ProviderCluster {
  readonly server: ApiServer
  /** What functions ask it by: each request is a call. */
  readonly kubernetes: Kubernetes
  /** Calls the listener with every request that has come in; the returned function ends that. */
  onCall(listener: (call: ClusterCall) => void): () => void
  /** All that it holds beside what every cluster has, as it is stored. */
  snapshot(): readonly KubernetesObject[]
  /** Puts such objects in place, behind the API. */
  restore(objects: readonly KubernetesObject[]): void
  /** Ends all that goes on in it. */
  close(): void
}

/** Kinds that something happens to, by the names of their collections. */
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
