import {
  configurationProblem,
  formatProblems,
  messageOf,
  type Problem,
} from '../../../../build/library/trellis.ts'

/** Throws a `CodedError` that names all problems, if there are any. */
export const throwProblems = (doing: string, problems: readonly Problem[]): void => {
  if (problems.length > 0) throw configurationProblem(`${doing}: ${formatProblems(problems)}`)
}

/** Runs a function and rethrows its error as one that the user has to fix, prefixed with the current task. */
export const asUsersProblem = <T>(doing: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw configurationProblem(`${doing}: ${messageOf(error)}`, error)
  }
}
