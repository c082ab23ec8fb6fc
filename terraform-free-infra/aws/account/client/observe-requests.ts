import { isThrottlingError } from '@smithy/core/retry'
import type { Pluggable, SdkError } from '@smithy/types'

/** A request that has ended, as metrics count it; each try of a call is one. */
export interface EndedRequest {
  /** `ec2`, `route53` */
  readonly service: string
  /** `DescribeVpcs` */
  readonly operation: string
  /** The status of HTTP; `none` where no answer came. */
  readonly status: string
  /** AWS asks for fewer of them. */
  readonly throttled: boolean
  readonly durationMs: number
}

export type ObserveRequest = (request: EndedRequest) => void

/** Tells of every request of a client how it ended: behind the retries, so that each try is one. */
export const observeRequests = <Input extends object, Output extends object>(
  observe: ObserveRequest | undefined,
): Pluggable<Input, Output> => ({
  applyToStack: stack => {
    if (observe === undefined) return
    stack.add(
      (next, context) => async args => {
        const began = performance.now()
        const tell = (status: unknown, throttled: boolean) =>
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
          tell((result.response as { readonly statusCode?: unknown } | undefined)?.statusCode, false)
          return result
        } catch (error) {
          const failure = error as SdkError
          tell(failure.$metadata?.httpStatusCode, isThrottlingError(failure))
          throw error
        }
      },
      { step: 'finalizeRequest', priority: 'low', name: 'trellisObserveRequests', override: true },
    )
  },
})
