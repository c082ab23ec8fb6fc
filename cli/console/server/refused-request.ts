import type { IncomingMessage } from 'node:http'
import { refusedPage } from '../../../shared/loopback/refuse-pages.ts'

/** A request that the console refuses. */
export interface RefusedRequest {
  readonly status: 403 | 405
  readonly why: string
}

/** Refuses writes, and requests that another site's page may have caused. A link may open only the page itself. */
export const refusedRequest = (
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { port, isPage }: { readonly port: number; readonly isPage: boolean },
): RefusedRequest | undefined => {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, why: 'the console only reads: use GET' }
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const why = refusedPage({ headers }, { isOwnHost: host => hosts.includes(host), isLinked: isPage })
  return why === undefined ? undefined : { status: 403, why }
}
