import { type Problem, problemsInEach } from '../../../../shared/contract/problems.ts'
import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
import {
  changeProblems,
  imageProblems,
  isImageChanged,
  poolProblems,
  zoneProblems,
} from '../../worker/machines/machines.ts'
import type { ShootPool } from './shoot-parts.ts'

/** Pools of a Shoot, and the one of the same name that was there before. */
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

/** What of a pool cannot be changed. */
export const poolChangeErrors = (pools: PoolsToJudge): readonly string[] =>
  each(pools, (pool, before) => (before === undefined ? [] : changeProblems(before, pool)))

/** Pools whose machines or image are new, and for which the CloudProfile has none. What is as it was stays as it is. */
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

/** What is wrong with a pool by itself, and with its zones. */
export const poolErrors = (pools: PoolsToJudge, infrastructureZones: readonly string[]): readonly string[] =>
  each(pools, (pool, before) => [...poolProblems(pool, before), ...zoneProblems(pool, infrastructureZones)])
