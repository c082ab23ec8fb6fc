import type { HttpRequest, HttpResponse } from '@smithy/core/protocols'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { HttpHandlerOptions } from '@smithy/types'

/** What sends the requests of the SDK's clients: one pool of connections, or a simulator. */
export type AwsRequestHandler = {
  handle(request: HttpRequest, options?: HttpHandlerOptions): Promise<{ response: HttpResponse }>
}

export interface RequestHandlerOptions {
  /** Most time to connect, TLS included, in ms. */
  readonly connectTimeoutMs?: number
  /** Most time of one attempt, in ms. */
  readonly requestTimeoutMs?: number
  /** Most connections per host. */
  readonly maxSockets?: number
}

/**
 * The one request handler of a process. Connections stay open between steps, so only the first call pays for TLS.
 * An attempt that takes too long fails with `TimeoutError`, which the SDK tries again.
 */
export const keepAliveHandler = (options: RequestHandlerOptions = {}): AwsRequestHandler => {
  const agent = { keepAlive: true, maxSockets: options.maxSockets ?? 64 }
  return new NodeHttpHandler({
    connectionTimeout: options.connectTimeoutMs ?? 3_000,
    requestTimeout: options.requestTimeoutMs ?? 10_000,
    throwOnRequestTimeout: true,
    httpAgent: agent,
    httpsAgent: agent,
  })
}
