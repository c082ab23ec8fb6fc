import { isThrottlingError } from '@smithy/core/retry'
import type { Pluggable, SdkError } from '@smithy/types'
import { isRead } from './is-read.ts'

/** A finished request for metrics. Each attempt of a call is one request. */
export interface EndedRequest {
  /** `ec2`, `route53` */
  readonly service: string
  /** `DescribeVpcs` */
  readonly operation: string
  /** The HTTP status; `none` if no response arrived. */
  readonly status: string
  /** True if AWS throttled the request. */
  readonly throttled: boolean
  readonly durationMs: number
  /** The input of the command. */
  readonly args: unknown
  /** The id that AWS gave to the request, in each service's own header. */
  readonly requestId: string | undefined
  /** The code of a refusal: `DependencyViolation`. */
  readonly error: string | undefined
  readonly write: boolean
}

export type ObserveRequest = (request: EndedRequest) => void

/** Reports the result of every request of a client. Runs after the retry middleware, so each attempt is one request. */
export const observeRequests = <Input extends object, Output extends object>(
  observe: ObserveRequest | undefined,
): Pluggable<Input, Output> => ({
  applyToStack: stack => {
    if (observe === undefined) return
    stack.add(
      (next, context) => async args => {
        const began = performance.now()
        const report = (ended: Pick<EndedRequest, 'throttled' | 'requestId' | 'error'>, status: unknown) =>
          observe({
            service: String(context.clientName)
              .replace(/Client$/, '')
              .toLowerCase(),
            operation: String(context.commandName).replace(/Command$/, ''),
            status: typeof status === 'number' ? String(status) : 'none',
            durationMs: performance.now() - began,
            args: args.input,
            write: !isRead(context.commandName),
            ...ended,
          })
        try {
          const result = await next(args)
          const { statusCode, headers } = responseOf(result.response)
          report({ throttled: false, requestId: requestIdOf(headers), error: undefined }, statusCode)
          return result
        } catch (error) {
          const failure = error as SdkError
          const { requestId, httpStatusCode } = failure.$metadata ?? {}
          report({ throttled: isThrottlingError(failure), requestId, error: failure.name }, httpStatusCode)
          throw error
        }
      },
      { step: 'finalizeRequest', priority: 'low', name: 'trellisObserveRequests', override: true },
    )
  },
})

interface ReadResponse {
  readonly statusCode?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const responseOf = (response: unknown): ReadResponse => (response ?? {}) as ReadResponse

/** The headers in which the services send the id of a request. The body of EC2 has it as well, and is not read here. */
const requestIdOf = (headers: ReadResponse['headers'] = {}): string | undefined =>
  headers['x-amzn-requestid'] ?? headers['x-amzn-request-id'] ?? headers['x-amz-request-id']
