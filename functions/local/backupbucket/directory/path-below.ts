import { join } from 'node:path'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { type Problem, shown } from '../../../../shared/contract/problems.ts'

/** A name of Kubernetes, in small letters: no slash, no dot at its ends, none beside another. */
const segment = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

const longestName = 253

/** Why a name cannot be that of a directory; undefined: it can. */
export const directoryNameProblem = (path: string, name: string): Problem | undefined =>
  name.length <= longestName && segment.test(name)
    ? undefined
    : { path, message: `expected a name of small letters, digits, dashes and dots, found ${shown(name)}` }

/**
 * A path below a folder, each name one level.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` for a name that leads elsewhere: nothing is read or written there.
 */
export const pathBelow = (root: string, ...names: readonly string[]): string => {
  for (const name of names) {
    const problem = directoryNameProblem('the name of a directory', name)
    if (problem !== undefined)
      throw new CodedError(`${problem.path}: ${problem.message}`, { codes: ['ERR_CONFIGURATION_PROBLEM'] })
  }
  return join(root, ...names)
}
