import { AsyncLocalStorage } from 'node:async_hooks'
import http from 'node:http'
import https from 'node:https'
import type { RefusedAttempts } from './refused-attempts.ts'

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Makes `fetch` and Node's HTTP clients refuse requests that may change something. The returned function tells whether
 * the running code belongs to an accepted request, which may open a connection.
 */
export const openReads = ({ refuse }: Pick<RefusedAttempts, 'refuse'>): (() => boolean) => {
  const fetching = new AsyncLocalStorage<true>()
  let requesting = false
  const refusal = (method: string, url: URL): Error | undefined =>
    safe.has(method.toUpperCase()) ? undefined : refuse(`sends ${method} ${url.origin}${url.pathname}`)

  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const url = new URL(request?.url ?? String(input))
    const error = refusal(init?.method ?? request?.method ?? 'GET', url)
    if (error !== undefined) throw error
    return fetching.run(true, () => fetch(input, init))
  }
  for (const client of [http, https])
    for (const name of ['request', 'get'] as const) {
      const original = client[name]
      const checked = (...args: unknown[]): unknown => {
        const { method, url } = requestOf(args)
        const error = refusal(method, url)
        if (error !== undefined) throw error
        // Node connects during this call. Listeners of the response run later, and may not open sockets.
        const before = requesting
        requesting = true
        try {
          return Reflect.apply(original, client, args)
        } finally {
          requesting = before
        }
      }
      Object.assign(client, { [name]: checked })
    }
  return () => requesting || (fetching.getStore() ?? false)
}

interface SentRequest {
  readonly method?: string
  readonly protocol?: string
  readonly host?: string
  readonly hostname?: string
  readonly port?: number | string
  readonly path?: string
}

/** The arguments of `http.request` are a URL, options, or both. */
const requestOf = ([first, second]: readonly unknown[]): { readonly method: string; readonly url: URL } => {
  const isUrl = typeof first === 'string' || first instanceof URL
  const options = Object(isUrl ? second : first) as SentRequest
  const { method = 'GET', protocol = 'http:', hostname, host = 'localhost', port = '', path = '/' } = options
  const url = isUrl ? new URL(first) : new URL(path, `${protocol}//${hostname ?? host}:${port}`)
  return { method, url }
}
