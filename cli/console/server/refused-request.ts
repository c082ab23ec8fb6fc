import type { IncomingMessage } from 'node:http'

/** A request that the console refuses. */
export interface RefusedRequest {
  readonly status: 403 | 405
  readonly why: string
}

/**
 * Refuses requests that another site's page may have caused. A page of a foreign name that resolves to 127.0.0.1 (DNS
 * rebinding) has another Host. Only the page itself may be opened by a link on another site.
 */
export const refusedRequest = (
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { port, isPage }: { readonly port: number; readonly isPage: boolean },
): RefusedRequest | undefined => {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, why: 'the console only reads: use GET' }
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const { host = '', origin } = headers
  if (!hosts.includes(host))
    return { status: 403, why: `the Host header is not ${hosts.join(' or ')}. Open http://${hosts[0]}/` }
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, why: 'the request comes from a page of another origin' }
  const site = headers['sec-fetch-site'] ?? 'none'
  const isOwn = site === 'same-origin' || site === 'none'
  const isLink =
    isPage && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (!isOwn && !isLink) return { status: 403, why: 'the request comes from a page of another site' }
  return undefined
}
