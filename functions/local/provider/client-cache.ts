import { createHash } from 'node:crypto'
import type { Clock } from '../../../shared/clock/clock.ts'
import {
  answersUpTo,
  createKubernetes,
  httpTransport,
  inlineKubeconfigAccess,
  type Kubernetes,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'

/** The maximum number of clusters with cached connections. The least recently used one is removed. */
const mostClients = 32

/**
 * The time limit for one response, in milliseconds, so that steps of other shoots do not wait for an unresponsive
 * cluster.
 */
const timeoutMs = 10_000

/**
 * The maximum number of bytes in a response. A user's kubeconfig names the cluster, and one process reads from all such
 * clusters.
 */
const longestAnswer = 8 * 1024 * 1024

interface CachedClient {
  readonly kubernetes: Kubernetes
  /** Closes its connections once none is in use. */
  readonly retire: () => void
}

/** Caches clients by kubeconfig, without storing the kubeconfigs. */
export interface ClientCache {
  /** Rejects like `inlineKubeconfigAccess`. */
  readonly clientOf: (kubeconfig: string) => Promise<Kubernetes>
}

export interface ClientCacheOptions {
  /** The maximum number of cached clients. Default: 32. */
  readonly most?: number
  readonly around?: (send: Transport) => Transport
}

export const createClientCache = (
  clock: Clock,
  { most = mostClients, around = send => send }: ClientCacheOptions = {},
): ClientCache => {
  const clients = new Map<string, CachedClient>()
  return {
    clientOf: async kubeconfig => {
      const id = createHash('sha256').update(kubeconfig).digest('hex')
      const client = clients.get(id) ?? (await openClient(kubeconfig, clock, around))
      // Another step may have cached a client meanwhile. The map is sorted by last use.
      const kept = clients.get(id) ?? client
      if (kept !== client) client.retire()
      clients.delete(id)
      clients.set(id, kept)
      for (const [oldest, { retire }] of clients) {
        if (clients.size <= most) break
        clients.delete(oldest)
        retire()
      }
      return kept.kubernetes
    },
  }
}

const openClient = async (
  kubeconfig: string,
  clock: Clock,
  around: (send: Transport) => Transport,
): Promise<CachedClient> => {
  const access = await inlineKubeconfigAccess(kubeconfig)
  const { send, close } = httpTransport({ access, maxConnections: 8 })
  let open = 0
  let isRetired = false
  const ended = () => {
    open--
    if (isRetired && open === 0) close()
  }
  const counted: Transport = async request => {
    open++
    try {
      const response = await send(request)
      return { ...response, body: following(response.body, ended) }
    } catch (error) {
      ended()
      throw error
    }
  }
  return {
    kubernetes: createKubernetes({
      transport: answersUpTo(longestAnswer, around(counted)),
      clock,
      timeoutMs,
    }),
    retire: () => {
      isRetired = true
      if (open === 0) close()
    },
  }
}

async function* following(body: AsyncIterable<Uint8Array>, ended: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    ended()
  }
}
