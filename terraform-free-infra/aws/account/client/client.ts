import { StandardRetryStrategy } from '@smithy/core/retry'
import type {
  AwsCredentialIdentity,
  MiddlewareStack,
  Pluggable,
  Provider,
  RetryStrategyV2,
} from '@smithy/types'
import { isRead } from './is-read.ts'
import { type ObserveRequest, observeRequests } from './observe-requests.ts'
import type { PaceRequests } from './pace-requests.ts'
import type { AwsRequestHandler } from './request-handler.ts'
import { requireAnswers } from './require-answers.ts'

/** The settings that all AWS clients of a process share. */
export interface AwsConnection {
  readonly requestHandler: AwsRequestHandler
  /** The retry strategy of the SDK. Default: its standard mode with 3 attempts. */
  readonly retryStrategy?: RetryStrategyV2
  /** The URL of every service, for an AWS other than Amazon's. Default: chosen by the SDK. */
  readonly endpoint?: string
  /** Called for each finished request, for metrics. */
  readonly onRequest?: ObserveRequest | undefined
  /** The calls per second that Route 53 allows to an account. Default: unknown, so unlimited until it throttles. */
  readonly route53PerSecond?: number | undefined
}

export interface ClientSettings {
  /** Delays requests of an account that AWS throttles. */
  readonly pace?: PaceRequests
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
 * Returns the settings of a client for any AWS service. Without an endpoint, the SDK derives it from the region,
 * `AWS_ENDPOINT_URL` or `AWS_ENDPOINT_URL_<SERVICE>`. A client is cheap and belongs to one step. Do not `destroy()` it,
 * because that closes the connections of the whole process.
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

/** Returns the settings of a client that does not repeat a throttled request, because its caller does. */
export const withoutThrottlingRetries = (settings: ClientSettings): ClientSettings => {
  const strategy: RetryStrategyV2 = settings.retryStrategy ?? new StandardRetryStrategy(settings.maxAttempts)
  const retryStrategy: RetryStrategyV2 = {
    acquireInitialRetryToken: scope => strategy.acquireInitialRetryToken(scope),
    refreshRetryTokenForRetry: async (token, error) => {
      if (error.errorType === 'THROTTLING') throw new Error('the caller repeats throttled requests')
      return strategy.refreshRetryTokenForRetry(token, error)
    },
    recordSuccess: token => strategy.recordSuccess(token),
  }
  return { ...settings, retryStrategy }
}

/**
 * Adds the rules of every client of a step to its stack: `checkBeforeWrites`, metrics, and the refusal of answers that
 * are not from AWS. With `pace`, also the pace of a throttled account.
 */
export const withRules = <Client extends WithStack>(
  client: Client,
  { pace, onRequest }: Pick<ClientSettings, 'pace' | 'onRequest'>,
  throwIfExpired: () => void,
): Client => {
  client.middlewareStack.use(checkBeforeWrites(throwIfExpired))
  if (pace) client.middlewareStack.use(pace())
  client.middlewareStack.use(observeRequests(onRequest))
  client.middlewareStack.use(requireAnswers())
  return client
}

export interface WithStack {
  // biome-ignore lint/suspicious/noExplicitAny: each client has a stack of its own inputs and outputs.
  readonly middlewareStack: Pick<MiddlewareStack<any, any>, 'use'>
}

/**
 * Calls `throwIfExpired` right before each attempt of a request that may change something, including retries, so a step
 * without a valid claim writes nothing more. Its error reaches the caller unchanged.
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
      // After the retry middleware (priority high) and the signing, so that it runs last and for every attempt.
      { step: 'finalizeRequest', priority: 'low', name: 'trellisGuardWrites', override: true },
    )
  },
})
