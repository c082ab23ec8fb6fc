import { CodedError } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/contract/message-of.ts'
import { formatProblems, type Problem } from '../../../../shared/contract/problems.ts'
import type { MachinePool } from './request.ts'

/** Where a pool stands in a Worker. */
export interface PoolPlace {
  readonly pool: MachinePool
  /** In `spec.pools`, from 0. */
  readonly index: number
}

/**
 * What is wrong with a pool: in the words of the Go extension, then where, and a way out. Only who wrote the pool can put
 * it right, so it is `ERR_CONFIGURATION_PROBLEM`.
 *
 * @param field within the pool: `machineImage.version`
 */
export const poolProblem = (
  { pool, index }: PoolPlace,
  field: string,
  cause: unknown,
  wayOut: string,
): CodedError =>
  new CodedError(
    `${messageOf(cause)} (worker pool ${JSON.stringify(pool.name)}, spec.pools[${index}].${field}); ${wayOut}`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'], cause },
  )

/** What cannot be together in a pool, or is not in it. Paths begin at the pool. */
export const poolRefusal = ({ pool, index }: PoolPlace, problems: readonly Problem[]): CodedError => {
  const placed = problems.map(({ path, message }) => ({ path: `spec.pools[${index}].${path}`, message }))
  return new CodedError(`worker pool ${JSON.stringify(pool.name)} is not valid: ${formatProblems(placed)}`, {
    codes: ['ERR_CONFIGURATION_PROBLEM'],
  })
}

/** What is wrong with all pools at once, for they share it. */
export const workerProblem = (field: string, message: string, wayOut: string): CodedError =>
  new CodedError(`${message} (${field}); ${wayOut}`, { codes: ['ERR_CONFIGURATION_PROBLEM'] })

/** Does something with a field of a pool; what it throws is told with pool, field and way out. */
export const within = <T>(place: PoolPlace, field: string, wayOut: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    if (error instanceof CodedError) throw error
    throw poolProblem(place, field, error, wayOut)
  }
}
