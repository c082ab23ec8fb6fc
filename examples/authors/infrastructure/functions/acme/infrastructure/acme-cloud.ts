import { CodedError, type Secret } from '@trellis-gardener/trellis'
import type { ErrorKind } from '@trellis-gardener/trellis/infra'

export interface Network {
  readonly id: string
  readonly name: string
  readonly cidr: string
}
export interface Gateway {
  readonly id: string
  readonly name: string
  readonly network: string
  readonly status: 'pending' | 'ready'
  readonly address?: string
}

export type AcmeCloud = ReturnType<typeof acmeCloud>

/** A refused request. */
class AcmeError extends Error {
  override readonly name = 'AcmeError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Returns the meaning of an error for the engine. */
export const errorKindOf = (error: unknown): ErrorKind => {
  if (error instanceof AcmeError)
    return error.status === 404 ? 'gone' : error.status === 409 ? 'busy' : 'other'
  // `fetch` throws a TypeError if no response arrived.
  return error instanceof TypeError ? 'uncertain' : 'other'
}

/** The calls of the cloud. Each resource has an owner; the lists contain only those of ours. */
export const acmeCloud = (secret: Secret | undefined, owner: string) => {
  const { url, token } = secret?.data ?? {}
  if (url === undefined || token === undefined)
    throw new CodedError('the Secret needs the keys url and token', { codes: ['ERR_CONFIGURATION_PROBLEM'] })
  const call = async (method: string, path: string, signal: AbortSignal, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/${path}`, {
      method,
      signal,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === 401)
      throw new CodedError('the cloud refuses the token', { codes: ['ERR_INFRA_UNAUTHENTICATED'] })
    if (!response.ok) throw new AcmeError(response.status, `${method} ${path}: ${await response.text()}`)
    return response.json()
  }
  const query = new URLSearchParams({ owner })
  return {
    networks: (signal: AbortSignal) =>
      call('GET', `networks?${query}`, signal) as Promise<readonly Network[]>,
    gateways: (signal: AbortSignal) =>
      call('GET', `gateways?${query}`, signal) as Promise<readonly Gateway[]>,
    createNetwork: (network: Omit<Network, 'id'>, signal: AbortSignal) =>
      call('POST', 'networks', signal, { ...network, owner }) as Promise<Network>,
    createGateway: (gateway: Pick<Gateway, 'name' | 'network'>, signal: AbortSignal) =>
      call('POST', 'gateways', signal, { ...gateway, owner }) as Promise<Gateway>,
    remove: (kind: 'networks' | 'gateways', id: string, signal: AbortSignal) =>
      call('DELETE', `${kind}/${id}`, signal),
  }
}
