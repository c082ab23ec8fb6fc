import type { Worker } from '../contract/objects.ts'
import type { Actuator, StepContext } from '../lifecycle/lifecycle.ts'
import type { MachineProvider } from './provider.ts'

/**
 * What a Worker is with every provider: pools become classes, class Secrets and MachineDeployments for the
 * machine-controller-manager, and what becomes of them is reported back. A provider says which class the machines of a
 * pool have (`MachineProvider`); the flow is the actuator.
 */

export type {
  DesiredClasses,
  DesiredInput,
  HashInput,
  MachineClassContent,
  MachineProvider,
  NodeTemplate,
  PoolClasses,
  PoolProblem,
  ZoneClass,
} from './provider.ts'

/** The actuator of a Worker, all of it. */
export const workerFlow = (
  _provider: MachineProvider,
): Required<Pick<Actuator<Worker>, 'reconcile' | 'remove' | 'forceRemove' | 'migrate' | 'restore'>> => {
  const soon = async (_: StepContext<Worker>): Promise<never> => {
    throw new Error('not yet')
  }
  return { reconcile: soon, remove: soon, forceRemove: soon, migrate: soon, restore: soon }
}
