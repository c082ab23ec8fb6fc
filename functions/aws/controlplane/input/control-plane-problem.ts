import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'

/** The user has to change `spec.provider.controlPlaneConfig` of the shoot, or its networking. */
export const usersProblem: readonly ErrorCode[] = ['ERR_CONFIGURATION_PROBLEM']

/** Runs a function and prefixes its error with the current task (docs/contract/control-plane.md#errors). */
export const withProblem = <T>(doing: string, codes: readonly ErrorCode[], work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new CodedError(`${doing}: ${messageOf(error)}`, { codes, cause: error })
  }
}
