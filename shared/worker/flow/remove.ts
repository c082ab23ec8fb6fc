import { CodedError, StepExpiredError } from '../../contract/errors.ts'
import { machineKinds } from '../../contract/machine-kinds.ts'
import type { Machine, MachineSet } from '../../contract/objects.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import { deleteObject } from '../../kubernetes/ensure-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { done, type StepResult } from '../../lifecycle/lifecycle.ts'
import { desiredWorker } from '../desired/desired-worker.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import { listClassSecrets, listMachineObjects } from '../objects/observe.ts'
import { together, whileDoing } from '../problems.ts'
import type { MachineProvider } from '../provider.ts'
import { credentialsHeld } from '../waits/credentials-held.ts'
import { type MachineObjects, machineObjectsGone } from '../waits/machine-objects-gone.ts'
import type { WaitState } from '../waits/wait-state.ts'
import { removeDependencies } from './dependencies.ts'
import { forceDeletion } from './force-deletion.ts'
import { scaleController } from './machine-controller.ts'
import { makeDeletable } from './make-deletable.ts'
import { waitFor } from './wait.ts'
import { clusterOf, namespaceOf, type WorkerStep } from './worker-step.ts'
import { writeClasses } from './write-classes.ts'

/**
 * Deletes all machines and their objects (docs/contract/workers.md#deleting). The machine controller needs classes,
 * Secrets and credentials for this, so classes and Secrets are written again, and the credentials must have been
 * acquired. Does not wait if the machine controller holds no object.
 */
export const removeWorker = async (provider: MachineProvider, step: WorkerStep): Promise<StepResult> => {
  const { waited } = step
  if (waited?.for === 'credentials released') return awaitRelease(provider, step)
  const found = await readObjects(step)
  // gardenlet has scaled it up, but a step that began before the deletion may have completed a hibernation since.
  if (needsController(found)) await scaleController(step, namespaceOf(step), 1)
  const isDeleted = waited?.for === 'machine objects' || waited?.for === 'machine objects without deployments'
  if (!isDeleted && needsController(found)) {
    if (hasMachines(found) && waited === undefined) await retainClasses(provider, step)
    const waiting = await awaitCredentials(step)
    if (waiting !== undefined) return waiting
  }
  await deleteObjects(step, found)
  await makeDeletable(provider, step, found.classes)
  const left = await readObjects(step)
  const wait = left.deployments.length > 0 ? 'machine objects' : 'machine objects without deployments'
  return waitFor(step, wait, machineObjectsGone(left, provider)) ?? awaitRelease(provider, step)
}

const readObjects = async (step: WorkerStep): Promise<MachineObjects> => {
  const { kubernetes } = step
  const namespace = namespaceOf(step)
  const [deployments, sets, machines, classes, classSecrets] = await Promise.all([
    listMachineObjects(kubernetes, 'MachineDeployment', namespace),
    listMachineObjects(kubernetes, 'MachineSet', namespace),
    listMachineObjects(kubernetes, 'Machine', namespace),
    listMachineObjects(kubernetes, 'MachineClass', namespace),
    listClassSecrets(kubernetes, namespace),
  ])
  return { deployments, sets, machines, classes, classSecrets }
}

const hasMachines = ({ deployments, sets, machines }: MachineObjects): boolean =>
  deployments.length + sets.length + machines.length > 0

/** Returns true if an object needs the machine controller to complete its deletion. */
const needsController = (found: MachineObjects): boolean =>
  hasMachines(found) || [...found.classes, ...found.classSecrets].some(isHeld)

const isHeld = ({ metadata: { finalizers = [] } }: KubernetesObject): boolean => finalizers.length > 0

/**
 * Writes classes and Secrets for the current Worker. Objects that can no longer be computed, because a pool's spec or a
 * shared part is invalid, are not changed: only a machine without a class blocks the deletion of the Worker.
 */
const retainClasses = async (provider: MachineProvider, step: WorkerStep): Promise<void> => {
  try {
    const problems = await writtenProblems(provider, step)
    if (problems.length === 0) return
    if (await isMissingClass(step)) throw together(problems)
    step.log.warn('machine classes that cannot be generated are unchanged', { problems: problems.length })
  } catch (error) {
    if (error instanceof StepExpiredError) throw error
    throw whileDoing('failed to deploy the machine classes', error)
  }
}

const writtenProblems = async (provider: MachineProvider, step: WorkerStep): Promise<readonly Error[]> => {
  try {
    const desired = desiredWorker(provider, { worker: step.object, cluster: clusterOf(step) })
    return (await writeClasses(step, desired)).problems.map(({ error }) => error)
  } catch (error) {
    // An error of all pools.
    if (error instanceof CodedError) return [error]
    throw error
  }
}

/** Returns true if a machine has no class, or its class no Secret. The machine controller could not delete it. */
const isMissingClass = async (step: WorkerStep): Promise<boolean> => {
  const { machines, classes, classSecrets } = await readObjects(step)
  const usable = new Set(classSecrets.map(({ metadata }) => metadata.name))
  const present = new Set(classes.flatMap(({ metadata: { name } }) => (usable.has(name) ? [name] : [])))
  return machines.some(({ spec }) => !present.has(spec?.class?.name ?? ''))
}

const awaitCredentials = async (step: WorkerStep): Promise<StepResult | undefined> =>
  waitFor(step, 'credentials acquired', await credentials(step, 'acquired'))

const credentials = async (
  { object, kubernetes }: WorkerStep,
  state: 'acquired' | 'released',
): Promise<WaitState> => {
  const { name = '', namespace = '' } = object.spec.secretRef
  return credentialsHeld(state, await kubernetes.get(secrets, { name, namespace }), name)
}

const deleteObjects = async (step: WorkerStep, found: MachineObjects): Promise<void> => {
  const { kubernetes, log } = step
  await forceDeletion(step, found.machines)
  const remove = async (resource: GroupVersionResource, objects: readonly KubernetesObject[]) => {
    await atMost(writesAtOnce, objects, object => deleteObject(kubernetes, resource, object))
    if (objects.length > 0)
      log.info('objects of the worker deleted', { resource: resource.plural, count: objects.length })
  }
  const { MachineDeployment, MachineSet, Machine, MachineClass } = machineKinds
  await remove(MachineDeployment.resource, found.deployments)
  // An interrupted restore leaves sets and machines without a deployment. No controller deletes them.
  await remove(MachineSet.resource, found.sets.filter(isOrphan))
  await remove(Machine.resource, found.machines.filter(isOrphan))
  await remove(MachineClass.resource, found.classes)
  await remove(secrets, found.classSecrets)
}

const isOrphan = ({ metadata: { ownerReferences = [] } }: MachineSet | Machine): boolean =>
  ownerReferences.length === 0

const awaitRelease = async (provider: MachineProvider, step: WorkerStep): Promise<StepResult> => {
  const waiting = waitFor(step, 'credentials released', await credentials(step, 'released'))
  if (waiting !== undefined) return waiting
  await removeDependencies(provider, step, clusterOf(step))
  return done()
}
