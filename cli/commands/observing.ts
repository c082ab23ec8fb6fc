import { CommanderError } from 'commander'
import { UnknownStateError, UsageError } from '../../sandbox/terminal/exit-code.ts'
import { messageOf } from '../../shared/text/message-of.ts'

/**
 * Wraps the action of a command that observes a seed, so that a failure has exit code 2. Its exit code 1 says that it
 * has found something wrong, which a failure to read does not show.
 */
export const observing =
  <A extends readonly unknown[]>(action: (...args: A) => Promise<void>): ((...args: A) => Promise<void>) =>
  async (...args) => {
    try {
      await action(...args)
    } catch (error) {
      if (error instanceof UsageError || error instanceof CommanderError) throw error
      throw new UnknownStateError(messageOf(error), { cause: error })
    }
  }

/** Returns the exit code of a reading: 0 if all is well, 1 if something is wrong, 2 if that is unknown. */
export const exitCodeOfReading = (isWrong: boolean, isUnknown: boolean): 0 | 1 | 2 =>
  isWrong ? 1 : isUnknown ? 2 : 0
