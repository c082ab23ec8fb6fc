import { type Problem, problemsInEach } from '../../../../shared/decode/problems.ts'
import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
import {
  changeProblems,
  imageProblems,
  isImageChanged,
  poolProblems,
  zoneProblems,
} from '../../worker/machines/machines.ts'
import type { ShootPool } from './shoot-parts.ts'

/** The pools of a Shoot, and the pools of the old Shoot. */
export interface PoolsToJudge {
  readonly pools: readonly ShootPool[]
  readonly former: readonly ShootPool[]
}

const each = (
  { pools, former }: PoolsToJudge,
  judge: (pool: ShootPool, before: ShootPool | undefined) => readonly Problem[],
): readonly string[] => {
  // The first pool with a name counts.
  const formerByName = new Map(former.toReversed().map(pool => [pool.name, pool]))
  return problemsInEach(pools, (pool, index) =>
    fieldErrors(judge(pool, formerByName.get(pool.name)), {
      at: `spec.provider.workers[${index}]`,
      within: pool,
    }),
  )
}

/** Returns an error for each change of an immutable field of a pool. */
export const poolChangeErrors = (pools: PoolsToJudge): readonly string[] =>
  each(pools, (pool, before) => (before === undefined ? [] : changeProblems(before, pool)))

/**
 * Returns an error for each pool with new machines or a new image that the CloudProfile does not offer. Ignores
 * unchanged pools.
 */
export const poolImageErrors = (
  pools: PoolsToJudge,
  cloudProfile: unknown,
  region: string,
): readonly string[] => {
  let judge: ReturnType<typeof imageProblems> | undefined
  return each(pools, (pool, before) => {
    if (!isImageChanged(before, pool)) return []
    judge ??= imageProblems(cloudProfile, region)
    return judge(pool)
  })
}

export const poolErrors = (pools: PoolsToJudge, infrastructureZones: readonly string[]): readonly string[] =>
  each(pools, (pool, before) => [...poolProblems(pool, before), ...zoneProblems(pool, infrastructureZones)])
