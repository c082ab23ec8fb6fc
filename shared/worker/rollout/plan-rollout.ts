import { isHibernationEnabled } from '../../contract/cluster-facts.ts'
import type { Cluster, MachineClass, MachineDeployment, Worker } from '../../contract/objects.ts'
import { desiredReplicas } from '../desired/desired-replicas.ts'
import { desiredWorker } from '../desired/desired-worker.ts'
import type { MachineProvider, PoolProblem } from '../provider.ts'
import { type Rollout, rolloutOf } from './rollout.ts'

/** What the next reconcile of a Worker does to its machines. */
export interface PlannedRollout extends Rollout {
  /** Pools that stay as they are, since something is wrong with them; nothing is removed meanwhile. */
  readonly problems: readonly PoolProblem[]
}

/**
 * Works out what a reconcile would do, and why machines would be replaced, of what was read; nothing is written. Throws what
 * makes the whole Worker impossible.
 *
 * @example
 * const { deployments, removed } = planRollout(provider, { worker, cluster, deployments: [], classes: [] })
 */
export const planRollout = (
  provider: MachineProvider,
  {
    worker,
    cluster,
    deployments,
    classes,
  }: {
    readonly worker: Worker
    readonly cluster: Cluster
    /** Of the namespace of the Worker. */
    readonly deployments: readonly MachineDeployment[]
    readonly classes: readonly MachineClass[]
  },
): PlannedRollout => {
  const desired = desiredWorker(provider, { worker, cluster })
  const rollout = rolloutOf({
    worker,
    desired: desired.deployments,
    inputs: new Map(desired.pools.map(({ pool, hashInputs }) => [pool.name, hashInputs])),
    replicasOf: desiredReplicas({
      worker,
      hibernation: isHibernationEnabled(cluster),
      observed: deployments,
    }),
    deployments,
    classes,
  })
  const { problems } = desired
  return { ...rollout, removed: problems.length > 0 ? [] : rollout.removed, problems }
}
