import { CodedError } from '../contract/errors.ts'

/** What a user reads when an object breaks the schema of its kind: every field's path and what was expected there. */
export const schemaError = (
  problems: readonly { readonly path: string; readonly message: string }[],
): CodedError =>
  new CodedError(
    problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '),
    {
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    },
  )
