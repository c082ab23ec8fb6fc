import { CommanderError } from 'commander'
import { printProblem } from '../../shared/terminal/print.ts'
import { messageOf } from '../../shared/text/message-of.ts'

/** A wrong use of a command: the message is one line for the user, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * A command could not tell what it was asked: its data could not be read. Exit code 2, because 1 says that something is
 * wrong.
 */
export class UnknownStateError extends Error {
  override readonly name = 'UnknownStateError'
}

/** Prints the error, unless commander has printed it, and returns the exit code. @param said changes its message */
export const exitCodeOf = (
  error: unknown,
  said: (message: string) => string = message => message,
): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  printProblem('trellis', said(messageOf(error)))
  return error instanceof UsageError || error instanceof UnknownStateError ? 2 : 1
}
