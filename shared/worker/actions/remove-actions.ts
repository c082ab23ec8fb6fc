import type { Machine, MachineDeployment } from '../../contract/objects.ts'
import type { NotedWrite } from '../../lifecycle/lifecycle.ts'
import { machinesIn } from '../rollout/rollout.ts'
import { deleteActions } from './delete-actions.ts'
import { markActions } from './reconcile-actions.ts'
import type { WorkerPlan } from './worker-plan.ts'

export interface PlannedRemoval {
  readonly writes: readonly NotedWrite[]
  /** All objects of the namespace. */
  readonly deployments: readonly MachineDeployment[]
  readonly machines: readonly Machine[]
  /** The condition for the first deletion. Undefined: none. */
  readonly waitsFor: string | undefined
}

/** Derives the actions of a deletion from its writes. */
export const removeActions = ({
  writes,
  deployments,
  machines,
  waitsFor,
}: PlannedRemoval): Pick<WorkerPlan, 'actions' | 'machines'> => {
  const counts = new Map(deployments.map(one => [one.metadata.name, machinesIn(one)]))
  const desired = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return {
    actions: [
      ...(waitsFor === undefined
        ? []
        : [{ kind: 'wait' as const, sentence: waitsFor, deployments: [], differences: [] }]),
      ...markActions(writes),
      ...deleteActions({
        writes,
        deployments,
        machinesOf: name => counts.get(name) ?? 0,
        rolled: new Set(),
      }),
    ],
    machines: { replaced: 0, updatedInPlace: 0, made: 0, deleted: Math.max(desired, machines.length) },
  }
}
