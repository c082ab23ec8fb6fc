import type { HttpRequest, HttpResponse } from '@smithy/core/protocols'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type {
  AwsCredentialIdentity,
  HttpHandlerOptions,
  Pluggable,
  Provider,
  RetryStrategyV2,
} from '@smithy/types'
import type { ObserveRequest } from './observe-requests.ts'

/** What every AWS client of a process shares. */
export interface AwsConnection {
  readonly requestHandler: AwsRequestHandler
  /** When and after how long the SDK tries again; absent: its standard mode with 3 attempts. */
  readonly retryStrategy?: RetryStrategyV2
  /** The URL of every service, for an AWS that is not Amazon's; absent: what the SDK finds by itself. */
  readonly endpoint?: string
  /** Called with each request that has ended: for metrics. */
  readonly onRequest?: ObserveRequest | undefined
}

export interface ClientSettings {
  readonly onRequest?: ObserveRequest
  readonly region: string
  readonly requestHandler: AwsRequestHandler
  readonly maxAttempts: number
  readonly retryMode: string
  readonly customUserAgent: string
  readonly credentials?: AwsCredentialIdentity | Provider<AwsCredentialIdentity>
  readonly retryStrategy?: RetryStrategyV2
  readonly endpoint?: string
}

/**
 * The settings of a client of any AWS service. Without an endpoint the SDK takes it from the region, or from
 * `AWS_ENDPOINT_URL` and `AWS_ENDPOINT_URL_<SERVICE>`. A client is cheap and belongs to one step; do not `destroy()`
 * it, because that closes the connections of the whole process.
 */
export const clientSettings = (
  connection: AwsConnection,
  region: string,
  credentials?: AwsCredentialIdentity | Provider<AwsCredentialIdentity>,
): ClientSettings => ({
  region,
  requestHandler: connection.requestHandler,
  maxAttempts: 3,
  retryMode: 'standard',
  customUserAgent: 'trellis',
  ...(credentials && { credentials }),
  ...(connection.retryStrategy && { retryStrategy: connection.retryStrategy }),
  ...(connection.onRequest && { onRequest: connection.onRequest }),
  ...(connection.endpoint !== undefined && { endpoint: connection.endpoint }),
})

/** What sends the requests of the SDK's clients: one pool of connections, or a simulator. */
export type AwsRequestHandler = {
  handle(request: HttpRequest, options?: HttpHandlerOptions): Promise<{ response: HttpResponse }>
}

export interface RequestHandlerOptions {
  /** Most time to connect, TLS included, in ms. */
  readonly connectTimeoutMs?: number
  /** Most time of one attempt, in ms. */
  readonly requestTimeoutMs?: number
  /** Most connections per host. 48. Each holds about 200 KB for TLS; a call that waits 3 s for one fails. */
  readonly maxSockets?: number
}

/**
 * The one request handler of a process. Connections stay open between steps, so only the first call pays for TLS.
 * An attempt that takes too long fails with `TimeoutError`, which the SDK tries again.
 */
export const keepAliveHandler = (options: RequestHandlerOptions = {}): AwsRequestHandler => {
  const agent = { keepAlive: true, maxSockets: options.maxSockets ?? 48 }
  return new NodeHttpHandler({
    connectionTimeout: options.connectTimeoutMs ?? 3_000,
    requestTimeout: options.requestTimeoutMs ?? 10_000,
    throwOnRequestTimeout: true,
    httpAgent: agent,
    httpsAgent: agent,
  })
}

/**
 * Calls `throwIfExpired` right before each attempt to send a request that may change something, retries included: a step
 * whose claim ran out in between writes nothing more. What the check throws reaches the caller as it is.
 */
export const checkBeforeWrites = <Input extends object, Output extends object>(
  throwIfExpired: () => void,
): Pluggable<Input, Output> => ({
  applyToStack: stack => {
    stack.add(
      (next, context) => args => {
        if (!isRead(context.commandName)) throwIfExpired()
        return next(args)
      },
      // Behind the retry middleware (priority high) and the signing, so that it runs last and for every attempt.
      { step: 'finalizeRequest', priority: 'low', name: 'trellisGuardWrites', override: true },
    )
  },
})

const isRead = (command: unknown): boolean =>
  typeof command === 'string' && /^(?:Get|List|Describe|Head|AssumeRole)/.test(command)
