import type { MachineDeployment, Worker } from '../../contract/objects.ts'
import { isInPlace } from '../desired/class-hash.ts'
import type { DesiredPool } from '../desired/desired-worker.ts'

type Hashes = Readonly<Record<string, string>>

const poolLabel = 'worker.gardener.cloud/pool'

/**
 * What `status.inPlaceUpdates.workerPoolToHashMap` shall be once the machines are available; undefined: as it is
 * (docs/contract/workers.md#in-place-updates). A pool with a problem keeps its entry.
 *
 * @param deployments those of the namespace, after the wait
 */
export const inPlaceHashes = (
  { status }: Pick<Worker, 'status'>,
  pools: readonly Pick<DesiredPool, 'pool' | 'inPlaceHash'>[],
  deployments: readonly MachineDeployment[],
): Hashes | undefined => {
  const current = status?.inPlaceUpdates?.workerPoolToHashMap ?? {}
  const next: Hashes = Object.fromEntries(
    pools.flatMap(({ pool, inPlaceHash }) => {
      if (!isInPlace(pool)) return []
      const isUpToDate = inPlaceHash !== undefined && !isWaitingForHands(pool, deployments)
      const hash = isUpToDate ? inPlaceHash : current[pool.name]
      return hash === undefined ? [] : [[pool.name, hash]]
    }),
  )
  const names = new Set([...Object.keys(current), ...Object.keys(next)])
  return [...names].some(name => current[name] !== next[name]) ? next : undefined
}

/** Whether machines of the pool are yet to be updated by hand. */
const isWaitingForHands = (
  { name, updateStrategy }: DesiredPool['pool'],
  deployments: readonly MachineDeployment[],
): boolean =>
  updateStrategy === 'ManualInPlaceUpdate' &&
  deployments.some(
    ({ metadata, status }) =>
      metadata.labels?.[poolLabel] === name && (status?.updatedReplicas ?? 0) < (status?.replicas ?? 0),
  )
