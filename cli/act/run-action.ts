import type { ActionName } from './decide-action.ts'
import {
  type ActionCluster,
  type ActionOptions,
  type PreparedAction,
  prepareAction,
} from './prepare-action.ts'

export interface ActionSurroundings extends ActionCluster {
  readonly print: (text: string) => void
  /** Returns true if the user agrees. It is not called if nothing is to be written. */
  readonly confirm: (question: string) => Promise<boolean>
}

/**
 * Shows what will happen, asks, and writes. Returns the exit code: 0 if all was written or nothing had to be; 1 if
 * something could not be written; 2 if the user did not agree or something could not be read. Throws a `UsageError`
 * for wrong input.
 */
export const runAction = async (
  options: ActionOptions,
  surroundings: ActionSurroundings,
): Promise<0 | 1 | 2> => {
  const prepared = await prepareAction(options, surroundings)
  for (const line of prepared.lines) surroundings.print(`${line}\n`)
  return askAndWrite(options.action, prepared, surroundings)
}

/** Asks, and writes. Returns the exit code. */
export const askAndWrite = async (
  action: ActionName,
  { user, writes, isUnread, write }: Omit<PreparedAction, 'lines'>,
  { print, confirm }: Pick<ActionSurroundings, 'print' | 'confirm'>,
): Promise<0 | 1 | 2> => {
  if (writes === 0) {
    print(`Nothing to ${action}.\n`)
    return isUnread ? 2 : 0
  }
  if (!(await confirm(`Write ${writes === 1 ? 'this' : `these ${writes}`}, as ${user}?`))) {
    print('Nothing was written.\n')
    return 2
  }
  const failures = await write(line => print(`${line}\n`))
  return failures > 0 ? 1 : isUnread ? 2 : 0
}
