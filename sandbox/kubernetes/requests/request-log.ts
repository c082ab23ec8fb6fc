import type { Timestamp } from '../../../shared/clock/clock.ts'

/** The verb of a request, as in Kubernetes' audit log. */
export type RequestVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  /** Discovery, OpenAPI, health. */
  | 'other'

export interface LoggedRequest {
  readonly at: Timestamp
  readonly method: string
  readonly path: string
  readonly verb: RequestVerb
  /** `dnsrecords.extensions.gardener.cloud`; undefined for paths outside of resources. */
  readonly resource: string | undefined
  readonly subresource: string | undefined
  readonly status: number
}

/** The answered requests, oldest first. Old ones are dropped. */
export interface RequestLog {
  record(request: LoggedRequest): void
  entries(): readonly LoggedRequest[]
  /** The number of requests since the start or the last `clear`, including dropped ones. */
  count(filter?: Partial<Pick<LoggedRequest, 'verb' | 'resource' | 'method' | 'status'>>): number
  /** Calls the listener with every request from now on. The returned function unsubscribes. */
  onRequest(listener: (request: LoggedRequest) => void): () => void
  clear(): void
}

/** Stores the last `limit` requests and counts all. */
export const createRequestLog = (limit = 10_000): RequestLog => {
  let kept: LoggedRequest[] = []
  const counts = new Map<string, { readonly sample: LoggedRequest; count: number }>()
  const listeners = new Set<(request: LoggedRequest) => void>()
  return {
    onRequest: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    record: request => {
      for (const listener of listeners) listener(request)
      kept.push(request)
      if (kept.length > limit * 2) kept = kept.slice(-limit)
      const key = `${request.verb} ${request.resource} ${request.method} ${request.status}`
      const known = counts.get(key)
      if (known) known.count++
      else counts.set(key, { sample: request, count: 1 })
    },
    entries: () => kept.slice(-limit),
    count: ({ verb, resource, method, status } = {}) => {
      let total = 0
      for (const { sample, count } of counts.values()) {
        if (verb !== undefined && sample.verb !== verb) continue
        if (resource !== undefined && sample.resource !== resource) continue
        if (method !== undefined && sample.method !== method) continue
        if (status !== undefined && sample.status !== status) continue
        total += count
      }
      return total
    },
    clear: () => {
      kept = []
      counts.clear()
    },
  }
}
