import { CodedError, configurationProblem } from '../../../../shared/contract/errors.ts'
import { formatProblems, type Problem } from '../../../../shared/decode/problems.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import type { MachinePool } from './request.ts'

export interface PoolPlace {
  readonly pool: MachinePool
  /** The index in `spec.pools`, from 0. */
  readonly index: number
}

/**
 * Returns the error of a pool: the Go extension's text, the location, and a remedy. Only the author of the pool can fix
 * it, so its code is `ERR_CONFIGURATION_PROBLEM`.
 *
 * @param field within the pool: `machineImage.version`
 */
export const poolProblem = (
  { pool, index }: PoolPlace,
  field: string,
  cause: unknown,
  wayOut: string,
): CodedError =>
  configurationProblem(
    `${messageOf(cause)} (worker pool ${JSON.stringify(pool.name)}, spec.pools[${index}].${field}). ${wayOut}`,
    cause,
  )

/** Returns the error of a pool with conflicting or missing fields. Paths begin at the pool. */
export const poolRefusal = ({ pool, index }: PoolPlace, problems: readonly Problem[]): CodedError => {
  const placed = problems.map(({ path, message }) => ({ path: `spec.pools[${index}].${path}`, message }))
  return configurationProblem(
    `worker pool ${JSON.stringify(pool.name)} is not valid: ${formatProblems(placed)}`,
  )
}

/** Returns the error of a cause that all pools share. */
export const workerProblem = (field: string, message: string, wayOut: string): CodedError =>
  configurationProblem(`${message} (${field}). ${wayOut}`)

/** Runs work for a field of a pool. Adds the pool, the field and a remedy to its error. */
export const within = <T>(place: PoolPlace, field: string, wayOut: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    if (error instanceof CodedError) throw error
    throw poolProblem(place, field, error, wayOut)
  }
}
