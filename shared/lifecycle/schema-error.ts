import { CodedError } from '../contract/errors.ts'
import { formatProblems, type Problem } from '../contract/problems.ts'

/** What a user reads when an object breaks the schema of its kind: every field's path and what was expected there. */
export const schemaError = (problems: readonly Problem[]): CodedError =>
  new CodedError(formatProblems(problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
