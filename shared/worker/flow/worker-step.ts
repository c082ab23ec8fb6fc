import type { Cluster, Worker } from '../../contract/objects.ts'
import type { StepContext } from '../../lifecycle/lifecycle.ts'

/** The context of one step of the flow. */
export type WorkerStep = StepContext<Worker>

export const namespaceOf = ({ object }: Pick<WorkerStep, 'object'>): string => object.metadata.namespace ?? ''

/** Without a Cluster, the lifecycle runs no step of a Worker except a forced deletion. */
export const clusterOf = ({ cluster }: Pick<StepContext<Worker>, 'cluster'>): Cluster => {
  if (cluster === undefined) throw new TypeError('a step of a Worker has no Cluster')
  return cluster
}
