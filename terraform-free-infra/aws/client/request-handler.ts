import { finished } from 'node:stream'
import type { HttpRequest, HttpResponse } from '@smithy/core/protocols'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { HttpHandlerOptions } from '@smithy/types'
import { createCallSlots } from './call-slots.ts'
import { proxyEnvironment } from './proxy-environment.ts'

/** Sends the requests of the SDK's clients: over one pool of connections, or to a simulator. */
export type AwsRequestHandler = {
  handle(request: HttpRequest, options?: HttpHandlerOptions): Promise<{ response: HttpResponse }>
}

export interface RequestHandlerOptions {
  /** Most time to connect, TLS included, in ms. Default: 3000. */
  readonly connectTimeoutMs?: number
  /** Most time of one attempt, in ms. It starts when the attempt has a connection to wait for. Default: 10000. */
  readonly requestTimeoutMs?: number
  /** Calls at once per host, each on a connection of about 200 KB for TLS. Others wait for their turn. Default: 48. */
  readonly mostCalls?: number
  /**
   * Names the proxies: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or their lower-case forms, which win.
   * Default: the environment of the process.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** Connections that stay open per host while nobody calls. */
const mostIdleConnections = 16

/**
 * The one request handler of a process. Connections stay open between steps, so only the first call pays for TLS.
 * An attempt that takes too long fails with `TimeoutError`, which the SDK retries. A call that waits for its turn has
 * not started: no timeout but its signal ends the wait.
 */
export const keepAliveHandler = ({
  connectTimeoutMs = 3_000,
  requestTimeoutMs = 10_000,
  mostCalls = 48,
  environment = process.env,
}: RequestHandlerOptions = {}): AwsRequestHandler => {
  const agent = {
    keepAlive: true,
    maxSockets: mostCalls,
    maxFreeSockets: mostIdleConnections,
    proxyEnv: proxyEnvironment(environment),
  }
  const handler = new NodeHttpHandler({
    connectionTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    throwOnRequestTimeout: true,
    httpAgent: agent,
    httpsAgent: agent,
  })
  const slots = createCallSlots(mostCalls)
  return {
    handle: async (request, options = {}) => {
      const host = `${request.protocol}//${request.hostname}:${request.port ?? ''}`
      // The SDK's type names an older signal, too; every caller here passes the standard one.
      const release = await slots.take(host, options.abortSignal as AbortSignal | undefined)
      try {
        const answer = await handler.handle(request, options)
        // The connection is busy until the body has been read.
        finished(answer.response.body, release)
        return answer
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
