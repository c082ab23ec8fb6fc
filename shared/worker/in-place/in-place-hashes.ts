import type { MachineDeployment, Worker } from '../../contract/objects.ts'
import { isInPlace } from '../desired/class-hash.ts'
import type { DesiredPool } from '../desired/desired-worker.ts'

type Hashes = Readonly<Record<string, string>>

const poolLabel = 'worker.gardener.cloud/pool'

/**
 * Returns the desired `status.inPlaceUpdates.workerPoolToHashMap` once the machines are available, or undefined if it
 * does not change (docs/contract/workers.md#in-place-updates). A pool with a problem retains its entry.
 *
 * @param deployments the deployments of the namespace, after the wait
 */
export const inPlaceHashes = (
  { status }: Pick<Worker, 'status'>,
  pools: readonly Pick<DesiredPool, 'pool' | 'inPlaceHash'>[],
  deployments: readonly MachineDeployment[],
): Hashes | undefined => {
  const current = new Map(Object.entries(status?.inPlaceUpdates?.workerPoolToHashMap ?? {}))
  const next = new Map(
    pools.flatMap(({ pool, inPlaceHash }) => {
      if (!isInPlace(pool)) return []
      const isUpToDate = inPlaceHash !== undefined && !isWaitingForHands(pool, deployments)
      const hash = isUpToDate ? inPlaceHash : current.get(pool.name)
      return hash === undefined ? [] : [[pool.name, hash] as const]
    }),
  )
  const isSame = next.size === current.size && [...next].every(([name, hash]) => current.get(name) === hash)
  return isSame ? undefined : Object.fromEntries(next)
}

/** Returns true if machines of the pool still need a manual update. */
const isWaitingForHands = (
  { name, updateStrategy }: DesiredPool['pool'],
  deployments: readonly MachineDeployment[],
): boolean =>
  updateStrategy === 'ManualInPlaceUpdate' &&
  deployments.some(
    ({ metadata, status }) =>
      metadata.labels?.[poolLabel] === name && (status?.updatedReplicas ?? 0) < (status?.replicas ?? 0),
  )
