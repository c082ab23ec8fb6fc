import type { Pluggable } from '@smithy/types'

/**
 * Calls `guard` right before each attempt to send a request that may change something, retries included: a step
 * whose claim ran out in between writes nothing more. What the guard throws reaches the caller as it is.
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
