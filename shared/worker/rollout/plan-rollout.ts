import { isHibernationEnabled } from '../../contract/cluster-facts.ts'
import type { Cluster, MachineClass, MachineDeployment, Worker } from '../../contract/objects.ts'
import { desiredReplicas } from '../desired/desired-replicas.ts'
import { desiredWorker } from '../desired/desired-worker.ts'
import type { MachineProvider, PoolProblem } from '../provider.ts'
import { type Rollout, rolloutOf } from './rollout.ts'

/** The effect of the next reconcile of a Worker on its machines. */
export interface PlannedRollout extends Rollout {
  /** Pools that are not changed because of a problem. Nothing is removed meanwhile. */
  readonly problems: readonly PoolProblem[]
}

/**
 * Plans a reconcile from read objects: its changes, and why machines would be replaced. Writes nothing. Throws an error
 * that makes the whole Worker impossible.
 *
 * @example const { deployments, removed } = planRollout(provider, { worker, cluster, deployments: [], classes: [] })
 */
export const planRollout = (
  provider: MachineProvider,
  {
    worker,
    cluster,
    deployments,
    classes,
    problems,
  }: {
    readonly worker: Worker
    readonly cluster: Cluster
    /** All in the namespace of the Worker. */
    readonly deployments: readonly MachineDeployment[]
    readonly classes: readonly MachineClass[]
    /** All pools with a problem. Default: those that the provider reports. */
    readonly problems?: readonly PoolProblem[]
  },
): PlannedRollout => {
  const desired = desiredWorker(provider, { worker, cluster })
  const all = problems ?? desired.problems
  const broken = new Set(all.map(({ pool }) => pool.name))
  const rollout = rolloutOf({
    worker,
    desired: desired.deployments.filter(({ pool }) => !broken.has(pool.name)),
    inputs: new Map(desired.pools.map(({ pool, hashInputs }) => [pool.name, hashInputs])),
    replicasOf: desiredReplicas({
      worker,
      hibernation: isHibernationEnabled(cluster),
      observed: deployments,
    }),
    deployments,
    classes,
  })
  return { ...rollout, removed: all.length > 0 ? [] : rollout.removed, problems: all }
}
