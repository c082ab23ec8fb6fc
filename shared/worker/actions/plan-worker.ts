import { codesOf } from '../../contract/classify.ts'
import { isHibernationEnabled } from '../../contract/cluster-facts.ts'
import type { Cluster, Machine, MachineDeployment, Worker } from '../../contract/objects.ts'
import {
  type NotedWrite,
  notedKubernetes,
  plannedStep,
  plannedWrite,
  type SeedPlanInput,
  unchangedKubernetes,
  withCluster,
} from '../../lifecycle/lifecycle.ts'
import { messageOf } from '../../text/message-of.ts'
import { ensureDependencies, removeDependencies } from '../flow/dependencies.ts'
import { scaleController } from '../flow/machine-controller.ts'
import { makeDeletable } from '../flow/make-deletable.ts'
import { desiredOf, markHibernated, namesOf, retiredClasses } from '../flow/reconcile.ts'
import { removeWorker } from '../flow/remove.ts'
import { removeUnwanted, unwantedDeployments } from '../flow/remove-unwanted.ts'
import { namespaceOf, type WorkerStep } from '../flow/worker-step.ts'
import { writeClasses } from '../flow/write-classes.ts'
import { writeDeployments } from '../flow/write-deployments.ts'
import { listMachineObjects } from '../objects/observe.ts'
import type { DependencyChange, DependencyContext, MachineProvider, PoolProblem } from '../provider.ts'
import { planRollout } from '../rollout/plan-rollout.ts'
import { machinesIn } from '../rollout/rollout.ts'
import { deleteActions } from './delete-actions.ts'
import { markActions, reconcileActions } from './reconcile-actions.ts'
import type { WorkerAction, WorkerPlan, WorkerPlanProblem } from './worker-plan.ts'

/**
 * Returns the effect of the next steps of a Worker on its machines, until nothing is left to do. Runs the code of the
 * flow with a port that records writes instead of executing them. Throws the errors that a step would throw before its
 * first write.
 */
export const planWorker = async (
  provider: MachineProvider,
  { destroy = false, ...given }: SeedPlanInput<Worker>,
): Promise<WorkerPlan> => {
  const input = withCluster(given)
  return destroy ? planRemoval(provider, input) : planReconcile(provider, input)
}

type Input = SeedPlanInput<Worker> & { readonly cluster: Cluster }

const planReconcile = async (provider: MachineProvider, input: Input): Promise<WorkerPlan> => {
  const { step: given, writes } = notedStep(input, 'Reconcile')
  const { cluster } = input
  const noted = notedChanges()
  const { step, problems: unmet } = await ensureDependencies(provider, given, cluster, noted.change)
  const { object: worker, kubernetes } = step
  const namespace = namespaceOf(step)
  const hibernation = isHibernationEnabled(cluster)
  const desired = desiredOf(provider, step, cluster, unmet)
  const [observed, classes] = await Promise.all([
    listMachineObjects(kubernetes, 'MachineDeployment', namespace),
    listMachineObjects(kubernetes, 'MachineClass', namespace),
  ])
  const written = await writeClasses(step, desired)
  if (hibernation) await markHibernated(step, desired, written.problems)
  // A class that is being deleted is recreated by a later step.
  const leaving = new Set<string>()
  await writeDeployments(step, { worker, cluster, desired: written.deployments, observed, leaving })
  const unchanged = new Set(namesOf(desired, written.problems))
  await makeDeletable(provider, step, retiredClasses(desired, observed, written.classes, unchanged))
  if (written.problems.length === 0) {
    await removeUnwanted(step, desired, unwantedDeployments(desired, observed))
    if (hibernation) await scaleController(step, namespace, 0)
    await removeDependencies(provider, step, cluster, noted.change)
  }
  const { problems } = written
  const rollout = planRollout(provider, { worker, cluster, deployments: observed, classes, problems })
  const { actions, machines } = reconcileActions({
    rollout,
    writes: writes(),
    deployments: observed,
    classNames: new Set(desired.deployments.map(({ className }) => className)),
  })
  return {
    actions: noted.around(actions),
    machines,
    problems: rollout.problems.map(problemOf),
    hashed: Object.fromEntries(
      desired.pools.map(({ pool, hashInputs }) => [
        pool.name,
        Object.fromEntries(
          hashInputs.flatMap(({ name, datum }) => (datum === undefined ? [] : [[name, datum]])),
        ),
      ]),
    ),
    writes: writes().map(write => plannedWrite(write)),
  }
}

/** Runs the step twice: as the first step, which may wait for the machine controller, and as the step after it. */
const planRemoval = async (
  { dependencies, ...provider }: MachineProvider,
  input: Input,
): Promise<WorkerPlan> => {
  const first = await removedBy(provider, notedStep(input, 'Delete'))
  const isHeldUp = first.description !== undefined && !first.writes.some(isDeletion)
  const { step, writes: noted } = notedStep(input, 'Delete')
  const waited = { for: 'machine objects', since: input.clock.now() }
  const second = isHeldUp ? await removedBy(provider, { step: { ...step, waited }, writes: noted }) : first
  const namespace = namespaceOf(step)
  const [deployments, machines] = await Promise.all([
    listMachineObjects(step.kubernetes, 'MachineDeployment', namespace),
    listMachineObjects(step.kubernetes, 'Machine', namespace),
  ])
  const writes = isHeldUp ? [...first.writes, ...second.writes] : first.writes
  const others = notedChanges()
  if (dependencies) await removeDependencies({ dependencies }, step, input.cluster, others.change)
  const waitsFor = isHeldUp ? first.description : undefined
  const removed = removeActions({ writes, deployments, machines, waitsFor })
  return {
    actions: others.around(removed.actions),
    machines: removed.machines,
    problems: [],
    writes: writes.map(write => plannedWrite(write)),
  }
}

/** Notes the changes of dependencies. New ones are created before all others, unneeded ones deleted after them. */
const notedChanges = () => {
  const changes: DependencyChange[] = []
  const change: DependencyContext['change'] = async one => {
    changes.push(one)
    return undefined
  }
  const actionsOf = (kind: DependencyChange['kind']): readonly WorkerAction[] =>
    changes.filter(one => one.kind === kind).map(one => ({ ...one, deployments: [], differences: [] }))
  return {
    change,
    around: (actions: readonly WorkerAction[]): readonly WorkerAction[] => [
      ...actionsOf('create'),
      ...actions,
      ...actionsOf('delete'),
    ],
  }
}

const isDeletion = ({ verb }: NotedWrite): boolean => verb === 'delete'

/** Returns the writes of a deletion step and what it then waits for. */
const removedBy = async (provider: MachineProvider, { step, writes }: NotedStep) => {
  try {
    const result = await removeWorker(provider, step)
    return { writes: writes(), description: result.kind === 'continue' ? result.description : undefined }
  } catch (error) {
    // The error is about failed machines. The step reports them after all deletions.
    if (writes().some(isDeletion)) return { writes: writes(), description: undefined }
    throw error
  }
}

interface NotedStep {
  readonly step: WorkerStep
  readonly writes: () => readonly NotedWrite[]
}

/** A step that reads the present state and writes nothing. */
const notedStep = ({ kubernetes, ...input }: Input, operation: WorkerStep['operation']): NotedStep => {
  // The flow decides by its first reads: no read sees a write.
  const noted = notedKubernetes(unchangedKubernetes(kubernetes, input.signal))
  return { step: plannedStep({ ...input, operation, kubernetes: noted.kubernetes }), writes: noted.writes }
}

const problemOf = ({ pool, error }: PoolProblem): WorkerPlanProblem => ({
  pool: pool.name,
  message: messageOf(error),
  codes: codesOf(error),
})

interface PlannedRemoval {
  readonly writes: readonly NotedWrite[]
  /** All objects of the namespace. */
  readonly deployments: readonly MachineDeployment[]
  readonly machines: readonly Machine[]
  /** The condition for the first deletion. Undefined: none. */
  readonly waitsFor: string | undefined
}

/** Derives the actions of a deletion from its writes. */
const removeActions = ({
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
