import { CodedError } from '../contract/errors.ts'
import type { WorkerPool } from '../contract/objects.ts'
import { hasStatus } from '../kubernetes/kubernetes.ts'
import { messageOf } from '../text/message-of.ts'
import type { PoolProblem } from './provider.ts'

/** A problem in a field of a pool. The caller adds the pool (`poolProblem`). */
export class FieldError extends CodedError {
  override readonly name = 'FieldError'
  /** The path within the pool: `kubernetesVersion`. */
  readonly field: string
  readonly wayOut: string

  constructor(
    message: string,
    { field, wayOut, cause }: { readonly field: string; readonly wayOut: string; readonly cause?: unknown },
  ) {
    super(message, { codes: ['ERR_CONFIGURATION_PROBLEM'], cause })
    this.field = field
    this.wayOut = wayOut
  }
}

/**
 * Returns the problem of a pool: the error text, the place and, if known, the fix.
 *
 * @example
 * const pools = worker.spec.pools.map(pool => poolProblem(worker.spec.pools, pool, new Error('no such image')))
 */
export const poolProblem = (pools: readonly WorkerPool[], pool: WorkerPool, error: Error): PoolProblem => {
  if (!(error instanceof FieldError)) return { kind: 'problem', pool, error }
  const { message, field, wayOut, codes } = error
  const index = pools.findIndex(({ name }) => name === pool.name)
  const place = `worker pool ${JSON.stringify(pool.name)}, spec.pools[${index}].${field}`
  return {
    kind: 'problem',
    pool,
    error: new CodedError(`${message} (${place}). ${wayOut}`, { codes, cause: error }),
  }
}

/** Returns the problem of an object that the API server refuses as invalid (422). It affects only its pool. */
export const refusedObject = (
  pools: readonly WorkerPool[],
  pool: WorkerPool,
  error: unknown,
): PoolProblem | undefined => {
  if (!hasStatus(error, 422)) return undefined
  const index = pools.findIndex(({ name }) => name === pool.name)
  const place = `worker pool ${JSON.stringify(pool.name)}, spec.pools[${index}]`
  const codes = ['ERR_CONFIGURATION_PROBLEM'] as const
  const message = `${error.message} (${place}). Correct the value that the API server refuses`
  return { kind: 'problem', pool, error: new CodedError(message, { codes, cause: error }) }
}

/** Adds the current action to the error. The codes are those of the cause. */
export const whileDoing = (what: string, cause: unknown): Error =>
  new Error(`${what}: ${messageOf(cause)}`, { cause })

/** Joins errors into one, with each message once and all codes. */
export const together = (errors: readonly Error[]): Error => {
  const [only] = errors
  if (only !== undefined && errors.length === 1) return only
  return new AggregateError(errors, [...new Set(errors.map(({ message }) => message))].join('; '))
}
