import { CodedError } from '../contract/errors.ts'
import { shown } from '../contract/problems.ts'

/**
 * The version of an operating system as it stands in an order to a machine, for which it must be nothing but a version.
 * Throws a `CodedError`.
 */
export const checkedVersion = (version: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/.test(version)) return version
  throw new CodedError(
    `spec.inPlaceUpdates.operatingSystemVersion: expected a version such as 1592.4.0, found ${shown(version)}`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )
}
