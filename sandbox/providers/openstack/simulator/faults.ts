import type { ServiceName } from './core/message.ts'

/** A fault that matching requests meet. */
export interface CloudFaultOrder {
  /** Default: any service. */
  readonly service?: ServiceName
  /** Default: any method. */
  readonly method?: string
  /** A part of the path with its query, or a pattern for it: `/v2.0/networks`. Default: any. */
  readonly path?: string | RegExp
  /** The first matching request that fails, from 1. Default: 1. */
  readonly nth?: number
  /** Default: 1. */
  readonly times?: number
  /** Before the request takes effect, or after it. Default: before. */
  readonly when?: 'before' | 'after'
  readonly effect: CloudFaultEffect
}

export type CloudFaultEffect =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** An object is sent as JSON, a text as HTML. Default: no body. */
      readonly body?: object | string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The connection breaks. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay'; readonly ms: number }

/** The pending faults. */
export interface CloudFaults {
  /** Adds a fault. The returned function withdraws it. */
  add(order: CloudFaultOrder): () => void
  clear(): void
  /** Counts a request, and returns the faults that it meets. */
  meet(request: {
    readonly service: string
    readonly method: string
    readonly path: string
  }): readonly CloudFaultOrder[]
}

export const createFaults = (): CloudFaults => {
  const entries = new Set<{ readonly order: CloudFaultOrder; seen: number }>()
  return {
    add: order => {
      const entry = { order, seen: 0 }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    clear: () => entries.clear(),
    meet: request => {
      const met: CloudFaultOrder[] = []
      for (const entry of entries) {
        const { service, method, path, nth = 1, times = 1 } = entry.order
        const isMet =
          (service === undefined || service === request.service) &&
          (method === undefined || method === request.method) &&
          (path === undefined ||
            (typeof path === 'string' ? request.path.includes(path) : path.test(request.path)))
        if (!isMet) continue
        entry.seen++
        if (entry.seen >= nth) met.push(entry.order)
        if (entry.seen >= nth + times - 1) entries.delete(entry)
      }
      return met
    },
  }
}
