import { machineKinds } from '../../contract/machine-kinds.ts'
import type { MachineDeployment } from '../../contract/objects.ts'
import { deployments as controllers } from '../../kubernetes/core-resources.ts'
import type { NotedWrite } from '../../lifecycle/lifecycle.ts'
import type { PlannedRollout } from '../rollout/plan-rollout.ts'
import type { DeploymentChange } from '../rollout/rollout.ts'
import { deleteActions } from './delete-actions.ts'
import { deploymentActions } from './deployment-actions.ts'
import { counted } from './words.ts'
import type { MachineCounts, WorkerAction, WorkerPlan } from './worker-plan.ts'
import { writtenDifferences } from './written-differences.ts'

export interface PlannedReconcile {
  readonly rollout: PlannedRollout
  readonly writes: readonly NotedWrite[]
  /** All objects of the namespace. */
  readonly deployments: readonly MachineDeployment[]
  /** The names of the desired classes. */
  readonly classNames: ReadonlySet<string>
}

/** Derives the actions of a reconcile from its writes and the rollout of the machines. */
export const reconcileActions = ({
  rollout,
  writes,
  deployments,
  classNames,
}: PlannedReconcile): Pick<WorkerPlan, 'actions' | 'machines'> => {
  const removed = new Map(rollout.removed.map(({ name, machines }) => [name, machines]))
  const actions = [
    ...markActions(writes),
    ...deploymentActions(rollout.deployments, writtenDifferences(writes)),
    ...deletableActions(writes, classNames),
    ...deleteActions({
      writes,
      deployments,
      machinesOf: name => removed.get(name) ?? 0,
      rolled: new Set(
        rollout.deployments.flatMap(change => (change.kind === 'rolled' ? (change.from ?? []) : [])),
      ),
    }),
    ...scaleActions(writes),
  ]
  return { actions, machines: countsOf(rollout) }
}

const action = (sentence: string): WorkerAction => ({
  kind: 'update',
  sentence,
  deployments: [],
  differences: [],
})

/** Machines that are deleted without draining. */
export const markActions = (writes: readonly NotedWrite[]): readonly WorkerAction[] => {
  const count = writes.filter(
    ({ verb, resource }) => verb === 'patch' && resource.plural === machineKinds.Machine.resource.plural,
  ).length
  return count === 0 ? [] : [action(`mark ${counted(count, 'machine')} for deletion without a drain`)]
}

/** Classes that create no more machines and are refused by the machine controller. */
const deletableActions = (
  writes: readonly NotedWrite[],
  classNames: ReadonlySet<string>,
): readonly WorkerAction[] =>
  writes
    .filter(({ verb, resource }) => verb === 'patch' && resource === machineKinds.MachineClass.resource)
    .filter(({ key }) => !classNames.has(key.name))
    .map(({ key }) => action(`change machine class ${key.name} to make its machines deletable`))

const scaleActions = (writes: readonly NotedWrite[]): readonly WorkerAction[] =>
  writes
    .filter(({ verb, resource }) => verb === 'patch' && resource === controllers)
    .map(({ key }) => action(`scale ${key.name} to 0 after its machines are deleted`))

const countsOf = ({ deployments, removed }: PlannedRollout): MachineCounts => {
  const sum = (count: (change: DeploymentChange) => number) =>
    deployments.reduce((total, change) => total + count(change), 0)
  /** Machines of the new class that replace others. */
  const rolled = (change: DeploymentChange) =>
    change.kind === 'rolled' ? Math.min(change.machines, change.replicas.to) : 0
  return {
    replaced: sum(change => (change.kind === 'rolled' && change.how === 'replaced' ? rolled(change) : 0)),
    updatedInPlace: sum(change =>
      change.kind === 'rolled' && change.how !== 'replaced' ? rolled(change) : 0,
    ),
    made: sum(change =>
      change.kind === 'made' ? change.replicas : Math.max(0, change.replicas.to - presentIn(change)),
    ),
    deleted:
      sum(change => (change.kind === 'made' ? 0 : Math.max(0, presentIn(change) - change.replicas.to))) +
      removed.reduce((total, { machines }) => total + machines, 0),
  }
}

const presentIn = (change: Exclude<DeploymentChange, { readonly kind: 'made' }>): number =>
  change.kind === 'rolled' ? Math.max(change.machines, change.replicas.from) : change.replicas.from
