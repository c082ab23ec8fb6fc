import type { ClusterAccess, Credentials } from '../access/cluster-access.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

/** Gives each request its credentials; after a 401 it asks for new ones, and sends again where there are any. */
export const authorize =
  (
    access: ClusterAccess,
    exchange: (request: TransportRequest, credentials: Credentials) => Promise<TransportResponse>,
  ): Transport =>
  async request => {
    request.signal?.throwIfAborted()
    const credentials = await access.credentials()
    const response = await exchange(request, credentials)
    if (response.status !== 401) return response
    // The token may have been rotated since it was read; an unauthorized request had no effect.
    const fresh = await access.credentials({ refused: credentials })
    if (fresh === credentials) return response
    for await (const _ of response.body);
    return exchange(request, fresh)
  }

/** Whether connections that were made with the one can be used with the other. */
export const sameTls = (a: Credentials, b: Credentials): boolean =>
  a === b || (a.agent === b.agent && JSON.stringify(a.tls) === JSON.stringify(b.tls))
