import { type PoolsToJudge, poolErrors } from '../../../../shared/webhooks/garden/garden.ts'
import { imageProblems, isImageChanged } from '../../worker/machines/machines.ts'

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
  return poolErrors(pools, (pool, before) => {
    if (!isImageChanged(before, pool)) return []
    judge ??= imageProblems(cloudProfile, region)
    return judge(pool)
  })
}
