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

/** Clusters whose connections are kept; the one that was used longest ago goes. */
const mostClients = 32

/** Longest time for one answer, in ms: other shoots' steps do not wait for a cluster that does not answer. */
const timeoutMs = 10_000

/** The most bytes of one response. A user's kubeconfig names the cluster, and one process reads from all such clusters. */
const longestAnswer = 8 * 1024 * 1024

interface CachedClient {
  readonly kubernetes: Kubernetes
  /** Ends its connections once none is used. */
  readonly retire: () => void
}

/** Clients by their kubeconfigs, which are not kept themselves. */
export interface ClientCache {
  /** Rejects as `inlineKubeconfigAccess` does. */
  readonly clientOf: (kubeconfig: string) => Promise<Kubernetes>
}

export interface ClientCacheOptions {
  /** How many are kept; 32. */
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
      // Another step may have opened one meanwhile; the map is in the order of use.
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
