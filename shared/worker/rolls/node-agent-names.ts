import { readShoot } from './read-shoot.ts'
import { workerPoolOf } from './worker-pools.ts'

/**
 * Returns the names of the Secrets of a Shoot's node agents by pool, as gardenlet computes them
 * (docs/contract/workers.md#name-of-the-node-agents-secret). Throws an Error for an invalid Shoot.
 */
export const nodeAgentSecretNames = (shoot: unknown): ReadonlyMap<string, string> => {
  const read = readShoot(shoot)
  return new Map(
    (read.spec.provider.workers ?? []).map(from => [
      from.name,
      workerPoolOf(read, from).pool.nodeAgentSecretName,
    ]),
  )
}
