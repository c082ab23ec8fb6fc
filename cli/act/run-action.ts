import { type ActionCluster, type ActionOptions, prepareAction } from './prepare-action.ts'

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
  { print, confirm, ...cluster }: ActionSurroundings,
): Promise<number> => {
  const { user, lines, writes, isUnread, write } = await prepareAction(options, cluster)
  for (const line of lines) print(`${line}\n`)
  if (writes === 0) {
    print(`Nothing to ${options.action}.\n`)
    return isUnread ? 2 : 0
  }
  if (!(await confirm(`Write ${writes === 1 ? 'this' : `these ${writes}`}, as ${user}?`))) {
    print('Nothing was written.\n')
    return 2
  }
  const failures = await write(line => print(`${line}\n`))
  return failures > 0 ? 1 : isUnread ? 2 : 0
}
