import { isThrottlingError } from '@smithy/core/retry'
import type { Pluggable, SdkError } from '@smithy/types'
import type { Clock } from '../../../../shared/clock/clock.ts'
import { createRequestPace } from '../../../cloud/request-pace.ts'

/** Delays requests of an account that AWS has throttled. */
export interface AwsPace {
  /** Returns the middleware for the clients of one step. */
  for(account: string, region: string, signal: AbortSignal): PaceRequests
}

export type PaceRequests = <Input extends object, Output extends object>() => Pluggable<Input, Output>

/**
 * Creates the pace of a process. AWS has separate buckets for reads and changes of each service and region ("Request
 * throttling for the Amazon EC2 API", EC2 Developer Guide), so each has its own rate.
 */
export const createAwsPace = (clock: Clock, random: () => number = Math.random): AwsPace => {
  const pace = createRequestPace(clock, random)
  return {
    for: (account, region, signal) => () => ({
      applyToStack: stack => {
        stack.add(
          (next, context) => args => {
            const kind = /^(?:Get|List|Describe|Head)/.test(String(context.commandName)) ? 'read' : 'change'
            return pace.paced({
              category: `${account} ${region} ${context.clientName} ${kind}`,
              signal,
              send: () => next(args),
              isThrottled: error => isThrottlingError(error as SdkError),
            })
          },
          // After the retry middleware (priority high), so it delays every attempt; before the check of writes (low).
          { step: 'finalizeRequest', priority: 'normal', name: 'trellisPaceRequests', override: true },
        )
      },
    }),
  }
}
