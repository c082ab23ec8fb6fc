import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { formatProblems, type Problem } from '../../../../shared/decode/problems.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'

/** The user has to change `spec.networking` of the shoot, or its kube-proxy. */
const usersProblem: readonly ErrorCode[] = ['ERR_CONFIGURATION_PROBLEM']

/** Throws a `CodedError` that names all problems, if there are any. */
export const throwProblems = (doing: string, problems: readonly Problem[]): void => {
  if (problems.length > 0)
    throw new CodedError(`${doing}: ${formatProblems(problems)}`, { codes: usersProblem })
}

/** Runs a function and rethrows its error as one that the user has to fix, prefixed with the current task. */
export const asUsersProblem = <T>(doing: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new CodedError(`${doing}: ${messageOf(error)}`, { codes: usersProblem, cause: error })
  }
}
