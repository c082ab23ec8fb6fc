import { configurationProblem } from '../contract/errors.ts'
import { shown } from '../decode/problems.ts'

/**
 * Checks the version of an operating system before it is part of a command for a machine. Throws a `CodedError` for any
 * other text.
 *
 * @example
 * const command = `/opt/update ${checkedVersion('1592.4.0')}`
 */
export const checkedVersion = (version: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/.test(version)) return version
  throw configurationProblem(
    `spec.inPlaceUpdates.operatingSystemVersion: expected a version such as 1592.4.0, found ${shown(version)}`,
  )
}
