import type { Cluster } from '../../contract/objects.ts'
import { replacement } from '../../kubernetes/merge-patch.ts'
import { technicalIdOf } from '../desired/desired-worker.ts'
import type { DependencyContext, MachineProvider, PoolProblem } from '../provider.ts'
import type { WorkerStep } from './worker-step.ts'

/** A step with the ids of all dependencies in the status of its object. */
export interface EnsuredStep {
  readonly step: WorkerStep
  /** Pools that cannot have their dependencies. */
  readonly problems: readonly PoolProblem[]
}

type ApplyChange = DependencyContext['change']
const apply: ApplyChange = (_, work) => work()

/** Ensures the objects of the cloud that machines need. */
export const ensureDependencies = async (
  { dependencies }: Pick<MachineProvider, 'dependencies'>,
  step: WorkerStep,
  cluster: Cluster,
  change: ApplyChange = apply,
): Promise<EnsuredStep> => {
  if (dependencies === undefined) return { step, problems: [] }
  const { context, current } = contextOf(step, cluster, change)
  const problems = await dependencies.ensure(context)
  return { step: current(), problems }
}

/** Deletes the dependencies that no pool needs. */
export const removeDependencies = async (
  { dependencies }: Pick<MachineProvider, 'dependencies'>,
  step: WorkerStep,
  cluster: Cluster,
  change: ApplyChange = apply,
): Promise<void> => {
  if (dependencies !== undefined) await dependencies.remove(contextOf(step, cluster, change).context)
}

const contextOf = (step: WorkerStep, cluster: Cluster, change: ApplyChange) => {
  const { secret, signal, throwIfExpired, resumed = false, operation, saveStatus } = step
  let { object } = step
  const context: DependencyContext = {
    worker: object,
    cluster,
    technicalId: technicalIdOf(object, cluster),
    secret,
    resumed,
    isDeleted: operation === 'Delete',
    signal,
    throwIfExpired,
    change,
    save: async providerStatus => {
      const patch = replacement(object.status?.providerStatus, providerStatus)
      if (patch === undefined) return
      await saveStatus({ providerStatus: patch })
      object = { ...object, status: { ...object.status, providerStatus } }
    },
  }
  return { context, current: (): WorkerStep => ({ ...step, object }) }
}
