import { isThrottlingError } from '@smithy/core/retry'
import type { Pluggable, SdkError } from '@smithy/types'

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
}

export type ObserveRequest = (request: EndedRequest) => void

/**
 * Reports the result of every request of a client. Runs after the retry middleware, so each attempt is one request.
 */
export const observeRequests = <Input extends object, Output extends object>(
  observe: ObserveRequest | undefined,
): Pluggable<Input, Output> => ({
  applyToStack: stack => {
    if (observe === undefined) return
    stack.add(
      (next, context) => async args => {
        const began = performance.now()
        const report = (status: unknown, throttled: boolean) =>
          observe({
            service: String(context.clientName)
              .replace(/Client$/, '')
              .toLowerCase(),
            operation: String(context.commandName).replace(/Command$/, ''),
            status: typeof status === 'number' ? String(status) : 'none',
            throttled,
            durationMs: performance.now() - began,
          })
        try {
          const result = await next(args)
          report((result.response as { readonly statusCode?: unknown } | undefined)?.statusCode, false)
          return result
        } catch (error) {
          const failure = error as SdkError
          report(failure.$metadata?.httpStatusCode, isThrottlingError(failure))
          throw error
        }
      },
      { step: 'finalizeRequest', priority: 'low', name: 'trellisObserveRequests', override: true },
    )
  },
})
