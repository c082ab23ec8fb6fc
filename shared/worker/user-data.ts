import type { WorkerPool } from '../contract/objects.ts'
import { valueAt } from '../decode/record-of.ts'
import { secrets } from '../kubernetes/core-resources.ts'
import type { StepKubernetes } from '../lifecycle/lifecycle.ts'
import { FieldError, poolProblem } from './problems.ts'
import type { PoolProblem } from './provider.ts'

/**
 * Returns the user data of each pool by pool name, base64 as in the API; secret. A pool without user data has a
 * problem.
 *
 * @param all the pools of the spec, which include these
 */
export const readUserData = async (
  kubernetes: StepKubernetes,
  namespace: string,
  pools: readonly WorkerPool[],
  all: readonly WorkerPool[],
): Promise<ReadonlyMap<string, string | PoolProblem>> => {
  const secretNames = [...new Set(pools.map(({ userDataSecretRef: { name = '' } }) => name))]
  const found = new Map(
    await Promise.all(
      secretNames.map(async name => [name, await kubernetes.get(secrets, { namespace, name })] as const),
    ),
  )
  return new Map<string, string | PoolProblem>(
    pools.map(pool => {
      const { name = '', key } = pool.userDataSecretRef
      const secret = found.get(name)
      const problem = (text: string, field: string): PoolProblem =>
        poolProblem(
          all,
          pool,
          new FieldError(text, {
            field: `userDataSecretRef.${field}`,
            wayOut: 'gardenlet writes the Secret. Reconcile the shoot',
          }),
        )
      if (secret === undefined) {
        const text = `failed fetching user data secret ${name} referenced in worker pool ${pool.name}: secrets "${name}" not found`
        return [pool.name, problem(text, 'name')]
      }
      const value = valueAt(secret.data, key)
      if (typeof value === 'string' && value !== '') return [pool.name, value]
      return [
        pool.name,
        problem(
          `user data secret ${name} for worker pool ${pool.name} has no ${key} field or it's empty`,
          'key',
        ),
      ]
    }),
  )
}
