import { formatSeconds } from '../../clock/clock.ts'
import { isHibernationEnabled } from '../../contract/cluster-facts.ts'
import { clusterKind } from '../../contract/kinds.ts'
import type { Cluster, MachineClass, MachineDeployment, Worker } from '../../contract/objects.ts'
import { parseCluster } from '../../contract/parse.ts'
import { replacement } from '../../kubernetes/merge-patch.ts'
import { done, type StepResult } from '../../lifecycle/lifecycle.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import { type DesiredWorker, desiredWorker } from '../desired/desired-worker.ts'
import { inPlaceHashes } from '../in-place/in-place-hashes.ts'
import { byName, listMachineObjects } from '../objects/observe.ts'
import { together, whileDoing } from '../problems.ts'
import type { MachineProvider, PoolProblem } from '../provider.ts'
import { classNameOf } from '../waits/owned.ts'
import { awaitMachines } from './await-machines.ts'
import { type EnsuredStep, ensureDependencies, removeDependencies } from './dependencies.ts'
import { forceDeletion } from './force-deletion.ts'
import { scaleController } from './machine-controller.ts'
import { makeDeletable } from './make-deletable.ts'
import {
  awaitClasses,
  awaitHeldBack,
  awaitRemoval,
  listClassObjects,
  removeUnwanted,
  unwantedDeployments,
} from './remove-unwanted.ts'
import { clusterOf, namespaceOf, type WorkerStep } from './worker-step.ts'
import { writeClasses } from './write-classes.ts'
import { writeDeployments } from './write-deployments.ts'

/**
 * Applies the machine controller's objects for the Worker, waits for the machines, and deletes objects that no pool
 * needs (docs/contract/workers.md#order-of-writes). A step that resumes after a wait reads only deployments, classes
 * and sets, unless something is missing.
 *
 * A pool with a problem is not changed. The other pools are written, then the step ends with the error, and nothing is
 * deleted.
 */
export const reconcileWorker = async (provider: MachineProvider, step: WorkerStep): Promise<StepResult> =>
  reconcileEnsured(provider, await ensureDependencies(provider, step, clusterOf(step)))

/** Like `reconcileWorker`, after the dependencies of machines are ensured. */
export const reconcileEnsured = async (
  provider: MachineProvider,
  { step, problems }: EnsuredStep,
): Promise<StepResult> => {
  const cluster = clusterOf(step)
  const desired = desiredOf(provider, step, cluster, problems)
  const list = () => listMachineObjects(step.kubernetes, 'MachineDeployment', namespaceOf(step))
  let observed = await list()
  let heldBack: readonly string[] = []
  if (step.resumed === true && (await isWritten(step, desired, observed, cluster))) {
    if (step.waited?.for === 'unwanted machine deployments')
      return (
        (await awaitRemoval(provider, step, desired, observed)) ??
        (await awaitClasses(step, desired, await listClassObjects(step))) ??
        finish(provider, step, cluster)
      )
  } else {
    const written = await write(provider, step, desired, cluster, observed)
    heldBack = written.heldBack
    if (written.changed) observed = await list()
  }
  const waiting = await awaitMachines(provider, step, desired, cluster, observed)
  const holding = await awaitHeldBack(step, heldBack)
  if (holding !== undefined) return holding
  if (waiting !== undefined) return waiting
  await saveInPlaceHashes(step, desired, observed)
  const found = await removeUnwanted(step, desired, observed)
  if (unwantedDeployments(desired, observed).length > 0) {
    const removing = await awaitRemoval(provider, step, desired, await list())
    if (removing !== undefined) return removing
  }
  return (await awaitClasses(step, desired, found)) ?? finish(provider, step, cluster)
}

/** Throws a described error if the whole Worker is impossible. */
export const desiredOf = (
  provider: MachineProvider,
  step: WorkerStep,
  cluster: Cluster,
  problems: readonly PoolProblem[] = [],
): DesiredWorker => {
  try {
    return desiredWorker(provider, { worker: step.object, cluster, problems })
  } catch (error) {
    throw whileDoing(generating, error)
  }
}

/** The action in the error of a pool. */
export const generating = 'failed to generate the machine deployments'

/**
 * Returns true if an earlier step has written all deployments, their classes exist, and only the autoscaler has changed
 * anything since. A deployment in deletion counts as missing: a step must wait until it is gone and recreate it. After
 * a wait for a class, the class or only its Secret is gone, and a step must recreate it.
 */
const isWritten = async (
  step: WorkerStep,
  { deployments, problems }: DesiredWorker,
  observed: readonly MachineDeployment[],
  cluster: Cluster,
): Promise<boolean> => {
  if (problems.length > 0 || step.waited?.for === 'machine classes') return false
  const classes = byName(await listMachineObjects(step.kubernetes, 'MachineClass', namespaceOf(step)))
  const present = byName(observed)
  const hibernation = isHibernationEnabled(cluster)
  return deployments.every(({ name, className, minimum }) => {
    const { metadata, spec } = present.get(name) ?? {}
    if (spec === undefined || metadata?.deletionTimestamp !== undefined || !classes.has(className))
      return false
    const isAsleep = (spec.replicas ?? 0) === 0
    return (
      spec.template.spec?.class?.name === className &&
      (isAsleep ? hibernation || minimum === 0 : !hibernation)
    )
  })
}

/** Writes all differences and reports them in the status. */
const write = async (
  provider: MachineProvider,
  step: WorkerStep,
  desired: DesiredWorker,
  cluster: Cluster,
  observed: readonly MachineDeployment[],
): Promise<WrittenObjects> => {
  const { object, saveStatus } = step
  const classes = await writeClasses(step, desired)
  const before = object.status?.providerStatus
  const providerStatus = replacement(before, desired.providerStatus)
  // It describes the inputs of all pools, including those with a problem.
  if (providerStatus !== undefined && classes.problems.length === 0) await saveStatus({ providerStatus })
  if (isHibernationEnabled(cluster)) await markHibernated(step, desired, classes.problems)
  const written = await writeDeployments(step, {
    worker: object,
    cluster,
    desired: classes.deployments,
    leaving: classes.leaving,
    observed,
  })
  if (written.problems.length > 0 && classes.problems.length === 0 && before !== undefined) {
    // A deployment that is still refused may be described only by the former status.
    const former = replacement(desired.providerStatus, before)
    if (former !== undefined) await saveStatus({ providerStatus: former })
  }
  const refused = new Set(written.problems.map(({ pool }) => pool.name))
  const deployments = classes.deployments.filter(({ pool }) => !refused.has(pool.name))
  await saveDeploymentsStatus(step, deploymentsStatus(object, desired, deployments))
  const problems = [...classes.problems, ...written.problems]
  const unchanged = new Set([...namesOf(desired, problems), ...written.heldBack.map(({ name }) => name)])
  await makeDeletable(provider, step, retiredClasses(desired, observed, classes.classes, unchanged))
  if (problems.length > 0) throw whileDoing(generating, together(problems.map(({ error }) => error)))
  return {
    changed: classes.changed || written.changed,
    heldBack: written.heldBack.map(({ className }) => className),
  }
}

/**
 * Returns the classes from which deployments no longer create machines. `unchanged`: names of deployments that the step
 * did not write.
 */
export const retiredClasses = (
  { deployments }: DesiredWorker,
  observed: readonly MachineDeployment[],
  classes: readonly MachineClass[],
  unchanged: ReadonlySet<string>,
): readonly MachineClass[] => {
  const desired = new Map(deployments.map(({ name, className }) => [name, className]))
  const present = observed.flatMap(deployment => {
    const { name, deletionTimestamp } = deployment.metadata
    const isWritten = desired.has(name) && !unchanged.has(name)
    return isWritten || deletionTimestamp !== undefined ? [] : [classNameOf(deployment)]
  })
  const used = new Set([...desired.values(), ...present])
  return classes.filter(({ metadata }) => !used.has(metadata.name))
}

interface WrittenObjects {
  /** True if the step changed an object other than the Worker. */
  readonly changed: boolean
  /** Names of classes that must be gone before a MachineDeployment can use them again. */
  readonly heldBack: readonly string[]
}

/** Labels the machines that hibernation deletes. They are not drained, because their pods would find no other node. */
export const markHibernated = async (
  step: WorkerStep,
  desired: DesiredWorker,
  problems: readonly PoolProblem[],
): Promise<void> => {
  const machines = await listMachineObjects(step.kubernetes, 'Machine', namespaceOf(step))
  const staying = new Set(namesOf(desired, problems))
  await forceDeletion(
    step,
    machines.filter(({ metadata }) => !staying.has(metadata.labels?.name ?? '')),
  )
}

/** Returns the names of the deployments of pools with a problem. Their machines stay. */
export const namesOf = ({ pools }: DesiredWorker, problems: readonly PoolProblem[]): readonly string[] => {
  const concerned = new Set(problems.map(({ pool }) => pool.name))
  return pools.filter(({ pool }) => concerned.has(pool.name)).flatMap(({ names }) => names)
}

const saveInPlaceHashes = async (
  { object, saveStatus }: WorkerStep,
  { pools }: DesiredWorker,
  observed: readonly MachineDeployment[],
): Promise<void> => {
  const hashes = inPlaceHashes(object, pools, observed)
  if (hashes === undefined) return
  const before = object.status?.inPlaceUpdates?.workerPoolToHashMap
  const isEmpty = Object.keys(hashes).length === 0
  await saveStatus({
    inPlaceUpdates: { workerPoolToHashMap: isEmpty ? null : replacement(before, hashes) },
  })
}

const finish = async (provider: MachineProvider, step: WorkerStep, cluster: Cluster): Promise<StepResult> => {
  await removeDependencies(provider, step, cluster)
  const name = namespaceOf(step)
  // Before gardenlet requests a wake-up, it writes the Cluster and scales the machine controller up.
  const stillSleeps = async () => {
    const live = parseCluster(await step.kubernetes.get(clusterKind.resource, { name }))
    return live.ok && isHibernationEnabled(live.object)
  }
  if (isHibernationEnabled(cluster)) await scaleController(step, name, 0, stillSleeps)
  return done()
}

/**
 * Returns the MachineDeployments for the status, which gardenlet and the autoscaler read. A pool with a problem retains
 * its previous entries.
 */
const deploymentsStatus = (
  { status }: Worker,
  { pools }: Pick<DesiredWorker, 'pools'>,
  written: readonly DesiredDeployment[],
) => {
  const desired = new Map(written.map(deployment => [deployment.name, deployment]))
  const before = new Map(status?.machineDeployments?.map(entry => [entry.name, entry]))
  return pools.flatMap(({ names, pool: { priority } }) =>
    names.flatMap(name => {
      const deployment = desired.get(name)
      if (deployment === undefined) return before.get(name) ?? []
      const { minimum, maximum } = deployment
      return [{ name, minimum, maximum, ...(priority !== undefined && { priority }) }]
    }),
  )
}

/**
 * Reports the deployments and their time of writing in the status. Once per reconcile, even without changes, because
 * gardenlet waits for it.
 */
const saveDeploymentsStatus = async (
  { object, saveStatus, clock, resumed = false }: WorkerStep,
  machineDeployments: ReturnType<typeof deploymentsStatus>,
): Promise<void> => {
  const differs = replacement(object.status?.machineDeployments, machineDeployments) !== undefined
  if (object.spec.pools.length === 0 || (resumed && !differs)) return
  await saveStatus({
    ...(differs && { machineDeployments }),
    ...(!resumed && { machineDeploymentsLastUpdateTime: formatSeconds(clock.now()) }),
  })
}
