import { finished } from 'node:stream'
import type { HttpRequest, HttpResponse } from '@smithy/core/protocols'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { HttpHandlerOptions } from '@smithy/types'
import { createCallSlots } from '../../../cloud/call-slots.ts'
import { proxyEnvironment } from '../../../cloud/proxy-environment.ts'

/** Sends the requests of the SDK's clients over one pool of connections, or to a simulator. */
export type AwsRequestHandler = {
  handle(request: HttpRequest, options?: HttpHandlerOptions): Promise<{ response: HttpResponse }>
}

export interface RequestHandlerOptions {
  /** Maximum time of one attempt, in ms. It starts when the attempt gets a connection. Default: 10000. */
  readonly requestTimeoutMs?: number
  /** Concurrent calls per host. Each needs a connection with about 200 KB for TLS. Further calls wait. Default: 48. */
  readonly mostCalls?: number
  /**
   * The environment with the proxies: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. Their lower-case forms win.
   * Default: the environment of the process.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** Maximum time to connect, including TLS, in ms, for two addresses of a name. */
const connectTimeoutMs = 8_000
/** Idle connections that stay open per host. */
const mostIdleConnections = 16

/**
 * Creates the only request handler of a process. Connections stay open between steps, so only the first call pays for
 * TLS. A slow attempt fails with `TimeoutError`, which the SDK retries. A waiting call has not started, so no timeout
 * applies; only its signal ends the wait.
 */
export const createRequestHandler = ({
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
      // The SDK's type also allows an older signal. Every caller here passes the standard one.
      const release = await slots.take(host, options.abortSignal as AbortSignal | undefined)
      try {
        const answer = await handler.handle(request, options)
        // The connection stays busy until the body has been read.
        finished(answer.response.body, release)
        return answer
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
