import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/contract/message-of.ts'

/** What the user has to change: `spec.provider.controlPlaneConfig` of the shoot, or its networking. */
export const usersProblem: readonly ErrorCode[] = ['ERR_CONFIGURATION_PROBLEM']

/** What a function throws, with what was being done before it (docs/contract/control-plane.md#errors). */
export const withProblem = <T>(doing: string, codes: readonly ErrorCode[], work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new CodedError(`${doing}: ${messageOf(error)}`, { codes, cause: error })
  }
}
