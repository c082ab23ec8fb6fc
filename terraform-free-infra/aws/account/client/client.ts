import type { AwsCredentialIdentity, Pluggable, Provider, RetryStrategyV2 } from '@smithy/types'
import type { ObserveRequest } from './observe-requests.ts'
import type { AwsRequestHandler } from './request-handler.ts'

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

/** Returns true for a command that only reads, such as `DescribeVpcsCommand`. */
export const isRead = (command: unknown): boolean =>
  typeof command === 'string' && /^(?:Get|List|Describe|Head|AssumeRole)/.test(command)
