import type { AwsCredentialIdentity, Provider, RetryStrategyV2 } from '@smithy/types'
import type { AwsRequestHandler } from './request-handler.ts'

/** What every AWS client of a process shares. */
export interface AwsConnection {
  readonly requestHandler: AwsRequestHandler
  /** When and after how long the SDK tries again; absent: its standard mode with 3 attempts. */
  readonly retryStrategy?: RetryStrategyV2
  /** The URL of every service, for an AWS that is not Amazon's; absent: what the SDK finds by itself. */
  readonly endpoint?: string
}

export interface ClientSettings {
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
  ...(connection.endpoint !== undefined && { endpoint: connection.endpoint }),
})
