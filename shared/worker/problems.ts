import { CodedError } from '../contract/errors.ts'
import { messageOf } from '../contract/message-of.ts'
import type { WorkerPool } from '../contract/objects.ts'
import { KubernetesError } from '../kubernetes/kubernetes.ts'
import type { PoolProblem } from './provider.ts'

/** Something wrong with a field of a pool. Which pool it is, who knows that says (`poolProblem`). */
export class FieldError extends CodedError {
  /** Within the pool: `kubernetesVersion`. */
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

/** What is wrong with a pool: in the words of the error, then where, and a way out where it tells them. */
export const poolProblem = (pools: readonly WorkerPool[], pool: WorkerPool, error: Error): PoolProblem => {
  if (!(error instanceof FieldError)) return { kind: 'problem', pool, error }
  const { message, field, wayOut, codes } = error
  const index = pools.findIndex(({ name }) => name === pool.name)
  const place = `worker pool ${JSON.stringify(pool.name)}, spec.pools[${index}].${field}`
  return {
    kind: 'problem',
    pool,
    error: new CodedError(`${message} (${place}); ${wayOut}`, { codes, cause: error }),
  }
}

/** An object of a pool that the API server refuses as it is (422): of no other pool's concern. */
export const refusedObject = (
  pools: readonly WorkerPool[],
  pool: WorkerPool,
  error: unknown,
): PoolProblem | undefined => {
  if (!(error instanceof KubernetesError && error.status === 422)) return undefined
  const index = pools.findIndex(({ name }) => name === pool.name)
  const place = `worker pool ${JSON.stringify(pool.name)}, spec.pools[${index}]`
  const codes = ['ERR_CONFIGURATION_PROBLEM'] as const
  const message = `${error.message} (${place}); correct what the API server refuses`
  return { kind: 'problem', pool, error: new CodedError(message, { codes, cause: error }) }
}

/** Something that the user has to change in the spec. */
export const configurationProblem = (message: string): CodedError =>
  new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })

/** The same error, saying what was being done; its codes are those of its cause. */
export const whileDoing = (what: string, cause: unknown): Error =>
  new Error(`${what}: ${messageOf(cause)}`, { cause })

/** Several errors as one, with each message once and the codes of all. */
export const together = (errors: readonly Error[]): Error => {
  const [only] = errors
  if (only !== undefined && errors.length === 1) return only
  return new AggregateError(errors, [...new Set(errors.map(({ message }) => message))].join('; '))
}
