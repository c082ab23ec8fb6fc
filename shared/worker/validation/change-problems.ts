import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../decode/problems.ts'
import { when } from '../../lists/when.ts'
import { isInPlace } from '../desired/class-hash.ts'
import type { PoolToCheck } from './pool-to-check.ts'

/**
 * Returns the forbidden changes of a pool. Zones may only be added at the end. A pool that is updated in place must not
 * change its WorkerConfig and its data volumes. Paths begin at the pool.
 */
export const changeProblems = (before: PoolToCheck, after: PoolToCheck): readonly Problem[] => [
  ...when(!(before.zones ?? []).every((zone, index) => after.zones?.[index] === zone), {
    path: 'zones',
    message: `expected ${(before.zones ?? []).join(', ')} first, in this order; new zones must be at the end`,
  }),
  ...(isInPlace(before) ? inPlaceProblems(before, after) : []),
]

const inPlaceProblems = (before: PoolToCheck, after: PoolToCheck): readonly Problem[] =>
  (['providerConfig', 'dataVolumes'] as const)
    .filter(field => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null))
    .map(path => ({ path, message: 'expected no change because the pool is updated in place' }))
