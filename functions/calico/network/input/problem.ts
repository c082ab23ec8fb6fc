import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/contract/message-of.ts'
import { formatProblems, type Problem } from '../../../../shared/contract/problems.ts'

/** What users have to change: `spec.networking` of the shoot, or its kube-proxy. */
const usersProblem: readonly ErrorCode[] = ['ERR_CONFIGURATION_PROBLEM']

/** Throws a `CodedError` that names all of them, where there are any. */
export const throwProblems = (doing: string, problems: readonly Problem[]): void => {
  if (problems.length > 0)
    throw new CodedError(`${doing}: ${formatProblems(problems)}`, { codes: usersProblem })
}

/** What a function throws is the user's to mend, with what was being done before it. */
export const asUsersProblem = <T>(doing: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new CodedError(`${doing}: ${messageOf(error)}`, { codes: usersProblem, cause: error })
  }
}
