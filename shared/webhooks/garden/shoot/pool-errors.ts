import { type Problem, problemsInEach } from '../../../decode/problems.ts'
import { changeProblems } from '../../../worker/validation/validation.ts'
import { fieldErrors } from '../../admission/admission.ts'
import type { ReviewedShoot } from './read-shoot.ts'
import type { ShootPool } from './shoot-parts.ts'

/** The pools of a Shoot, and the pools of the old Shoot. */
export type PoolsToJudge = Pick<ReviewedShoot, 'pools' | 'formerPools'>

/** Returns the errors of each pool, compared with the old pool of the same name. Paths begin at the pool. */
export const poolErrors = (
  { pools, formerPools }: PoolsToJudge,
  judge: (pool: ShootPool, before: ShootPool | undefined) => readonly Problem[],
): readonly string[] => {
  // The first pool with a name counts.
  const formerByName = new Map(formerPools.toReversed().map(pool => [pool.name, pool]))
  return problemsInEach(pools, (pool, index) =>
    fieldErrors(judge(pool, formerByName.get(pool.name)), {
      at: `spec.provider.workers[${index}]`,
      within: pool,
    }),
  )
}

/** Returns an error for each change of an immutable field of a pool. */
export const poolChangeErrors = (pools: PoolsToJudge): readonly string[] =>
  poolErrors(pools, (pool, before) => (before === undefined ? [] : changeProblems(before, pool)))
