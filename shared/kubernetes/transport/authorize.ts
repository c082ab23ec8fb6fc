import { withinSignal } from '../../clock/clock.ts'
import type { ClusterAccess, Credentials } from '../access/cluster-access.ts'
import { ConnectionError } from '../port.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

/** Adds the credentials to each request. After a 401 it reads them again and retries if they are new. */
export const authorize =
  (
    access: ClusterAccess,
    exchange: (request: TransportRequest, credentials: Credentials) => Promise<TransportResponse>,
  ): Transport =>
  async request => {
    request.signal?.throwIfAborted()
    const credentials = await credentialsFor(request, access)
    const response = await exchange(request, credentials)
    if (response.status !== 401) return response
    // The token may have been rotated after it was read. An unauthorized request had no effect.
    const fresh = await credentialsFor(request, access, { refused: credentials })
    if (fresh === credentials) return response
    for await (const _ of response.body);
    return exchange(request, fresh)
  }

/** Returns the credentials for a request. Waits at most until its end: a kubeconfig's plugin may wait for a login. */
export const credentialsFor = async (
  { method, path, signal }: Pick<TransportRequest, 'method' | 'path' | 'signal'>,
  access: ClusterAccess,
  options?: Parameters<ClusterAccess['credentials']>[0],
): Promise<Credentials> => {
  const credentials = access.credentials(options)
  if (signal === undefined) return credentials
  try {
    return await withinSignal(signal, credentials)
  } catch (error) {
    const isLate = error instanceof ConnectionError || Object(error).name === 'TimeoutError'
    if (!isLate || error !== signal.reason) throw error
    const cause = new Error(
      'there are no credentials yet. Perhaps the plugin of the kubeconfig waits for a login',
    )
    throw new ConnectionError(`${method} ${path}: ${cause.message}`, { cause, sent: false })
  }
}

/** Returns true if both credentials can use the same connections. */
export const sameTls = (a: Credentials, b: Credentials): boolean =>
  a === b || (a.agent === b.agent && JSON.stringify(a.tls) === JSON.stringify(b.tls))
