import { join } from 'node:path'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { type Problem, shown } from '../../../../shared/decode/problems.ts'

/** A lowercase Kubernetes name: no slash, no dot at either end, no two adjacent dots. */
const segment = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

const longestName = 253

/** Returns the reason why a name is not valid for a directory, or undefined if it is valid. */
export const directoryNameProblem = (path: string, name: string): Problem | undefined =>
  name.length <= longestName && segment.test(name)
    ? undefined
    : { path, message: `expected lower-case letters, digits, dashes and dots, found ${shown(name)}` }

/**
 * Returns a path below a folder; each name is one level.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` for a name that leads elsewhere, so nothing is read or written
 * there.
 */
export const pathBelow = (root: string, ...names: readonly string[]): string => {
  for (const name of names) {
    const problem = directoryNameProblem('the name of a directory', name)
    if (problem !== undefined) throw configurationProblem(`${problem.path}: ${problem.message}`)
  }
  return join(root, ...names)
}
