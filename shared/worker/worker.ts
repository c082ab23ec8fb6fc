/**
 * The provider-independent part of a Worker: turns pools into classes, class Secrets and MachineDeployments for the
 * machine-controller-manager, and reports the result. A provider chooses the class for the machines of a pool
 * (`MachineProvider`). The flow is the actuator.
 */

import type { Worker } from '../contract/objects.ts'
import { type Actuator, done, orphaning } from '../lifecycle/lifecycle.ts'
import { reconcileWorker } from './flow/reconcile.ts'
import { removeWorker } from './flow/remove.ts'
import { type ReadShootState, restoreWorker } from './flow/restore.ts'
import type { MachineProvider } from './provider.ts'

export { planWorker } from './actions/plan-worker.ts'
export type { DeploymentAction, WorkerAction, WorkerPlan } from './actions/worker-plan.ts'
export { isInPlace } from './desired/class-hash.ts'
export type { ReadShootState } from './flow/restore.ts'
export { nodeTemplateOf } from './node-template.ts'
export { workerPermissions, workerService } from './permissions.ts'
export { FieldError, poolProblem } from './problems.ts'
export type {
  DependencyChange,
  DependencyContext,
  DesiredClasses,
  DesiredInput,
  HashInput,
  MachineClassContent,
  MachineDependencies,
  MachineProvider,
  NodeTemplate,
  PoolClasses,
  PoolProblem,
  ZoneClass,
} from './provider.ts'
export { gardenOptions, gardenSettings } from './restore/garden-shoot-states.ts'
export type { Difference } from './rollout/differences.ts'
export type { HashCause } from './rollout/hash-causes.ts'
export { type PlannedRollout, planRollout } from './rollout/plan-rollout.ts'

/** Dependencies of the flow. */
export interface WorkerFlowOptions {
  /** Absent: no access to the garden. The machines of a migrated shoot are then read only from `status.state`. */
  readonly readShootState?: ReadShootState
}

/**
 * Returns the complete actuator of a Worker. A migration changes nothing.
 *
 * @example
 * const actuator = workerFlow({
 *   desired: ({ worker }) => ({
 *     providerStatus: undefined,
 *     pools: worker.spec.pools.map(pool => ({ kind: 'classes', pool, hashInputs: [], zones: [] })),
 *   }),
 * })
 */
export const workerFlow = (
  provider: MachineProvider,
  { readShootState }: WorkerFlowOptions = {},
): Required<
  Pick<Actuator<Worker>, 'reconcile' | 'remove' | 'forceRemove' | 'orphans' | 'migrate' | 'restore'>
> => ({
  reconcile: step => reconcileWorker(provider, step),
  restore: step => restoreWorker(provider, step, readShootState),
  remove: step => removeWorker(provider, step),
  migrate: async () => done(),
  forceRemove: async () => orphaning('a forced deletion does not delete machines'),
  orphans: ({ object }) => [
    ...(object.status?.machineDeployments === undefined
      ? object.spec.pools.map(({ name }) => `machines of the pool ${name}`)
      : object.status.machineDeployments.map(({ name }) => `machines of ${name}`)),
    ...(provider.dependencies?.known(object) ?? []),
  ],
})
