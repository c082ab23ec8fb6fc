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

  const { fetch, Request } = globalThis
  globalThis.fetch = async (input, init) => {
    // A getter of the options, or a class that extends Request, could tell another method later.
    const request = new Request(input, init)
    const error = refusal(request.method, new URL(request.url))
    if (error !== undefined) throw error
    return fetching.run(true, () => fetch(request))
  }
  for (const client of [http, https])
    for (const name of ['request', 'get'] as const) {
      const original = client[name]
      const checked = (...given: unknown[]): unknown => {
        const args = given.map(copyOf)
        const { method, url } = requestOf(args)
        const error = refusal(method, url)
        if (error !== undefined) throw error
        // Node connects during this call. Listeners of the response run later, and may not open sockets.
        const before = requesting
        requesting = true
        try {
          const request = Reflect.apply(original, client, args)
          return Object.defineProperty(request, 'method', { value: request.method, writable: false })
        } finally {
          requesting = before
        }
      }
      Object.assign(client, { [name]: checked })
    }
  return () => requesting || (fetching.getStore() ?? false)
}

/** Reads each option once, because a getter could tell another method later. */
const copyOf = (argument: unknown): unknown => {
  if (argument instanceof URL) return new URL(argument.href)
  return typeof argument === 'object' && argument !== null ? { ...argument } : argument
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
