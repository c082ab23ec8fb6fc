import type { ClusterAccess, Credentials } from '../access/cluster-access.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

/** Adds the credentials to each request. After a 401 it reads them again and retries if they are new. */
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
    // The token may have been rotated after it was read. An unauthorized request had no effect.
    const fresh = await access.credentials({ refused: credentials })
    if (fresh === credentials) return response
    for await (const _ of response.body);
    return exchange(request, fresh)
  }

/** Returns true if both credentials can use the same connections. */
export const sameTls = (a: Credentials, b: Credentials): boolean =>
  a === b || (a.agent === b.agent && JSON.stringify(a.tls) === JSON.stringify(b.tls))
