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
    problems,
  }: {
    readonly worker: Worker
    readonly cluster: Cluster
    /** Of the namespace of the Worker. */
    readonly deployments: readonly MachineDeployment[]
    readonly classes: readonly MachineClass[]
    /** All pools that something is wrong with; absent: those that the provider finds. */
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
