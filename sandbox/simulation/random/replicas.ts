import type { Transport } from '../../../shared/kubernetes/kubernetes.ts'
import type { ApiServer, ApiView } from '../../kubernetes/kubernetes.ts'

/** Two replicas of each API server. A process always uses the same one. */
export interface Replicas {
  transportOf(process: string, server: ApiServer): Transport
  /** Makes a replica lag behind etcd until a time (ms since the epoch). */
  lag(server: ApiServer, replica: number, lagMs: number, until: number): void
}

export const createReplicas = (): Replicas => {
  const views = new Map<ApiServer, readonly ApiView[]>()
  const viewOf = (server: ApiServer, replica: number): ApiView => {
    const own = views.get(server) ?? [server.view(), server.view()]
    views.set(server, own)
    return own[replica % 2] as ApiView
  }
  return {
    transportOf: (process, server) => {
      const last = [...process].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
      return viewOf(server, last).transport
    },
    lag: (server, replica, lagMs, until) => void viewOf(server, replica).showPast({ lagMs, until }),
  }
}
