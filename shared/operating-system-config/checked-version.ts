import { CodedError } from '../contract/errors.ts'
import { shown } from '../decode/problems.ts'

/**
 * Checks the version of an operating system before it is part of a command for a machine. Throws a `CodedError` for any
 * other text.
 */
export const checkedVersion = (version: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/.test(version)) return version
  throw new CodedError(
    `spec.inPlaceUpdates.operatingSystemVersion: expected a version such as 1592.4.0, found ${shown(version)}`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )
}
