import { machineKinds } from '../../contract/machine-kinds.ts'
import type { MachineDeployment } from '../../contract/objects.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import { deleteObject } from '../../kubernetes/ensure-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { StepResult } from '../../lifecycle/lifecycle.ts'
import type { DesiredWorker } from '../desired/desired-worker.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import { listClassSecrets, listMachineObjects } from '../objects/observe.ts'
import type { MachineWords } from '../provider.ts'
import { type ClassObjects, classesThere, waitForClasses } from '../waits/classes-there.ts'
import { classNameOf } from '../waits/owned.ts'
import { unwantedGone } from '../waits/unwanted-gone.ts'
import type { WaitState } from '../waits/wait-state.ts'
import { readController } from './machine-controller.ts'
import { type WaitName, waitFor } from './wait.ts'
import { namespaceOf, type WorkerStep } from './worker-step.ts'

type Wanted = Pick<DesiredWorker, 'deployments'>

/** Returns the deployments of the namespace that no pool needs. */
export const unwantedDeployments = (
  { deployments }: Wanted,
  observed: readonly MachineDeployment[],
): readonly MachineDeployment[] => {
  const names = new Set(deployments.map(({ name }) => name))
  return observed.filter(({ metadata }) => !names.has(metadata.name))
}

/**
 * Deletes the MachineDeployments, MachineClasses and class Secrets of the namespace, in this order, that no pool needs
 * (docs/contract/workers.md#order-of-writes). Call it only if no pool has a problem and the machines are available.
 * `observed`: read after all writes. Returns the classes and Secrets as they were before.
 */
export const removeUnwanted = async (
  step: WorkerStep,
  desired: Wanted,
  observed: readonly MachineDeployment[],
): Promise<ClassObjects> => {
  const { kubernetes, log } = step
  const namespace = namespaceOf(step)
  const unneeded = unwantedDeployments(desired, observed)
  // A deployment that waits for a class in deletion still has its former one.
  const used = observed.filter(deployment => !unneeded.includes(deployment)).map(classNameOf)
  const classNames = new Set([...desired.deployments.map(({ className }) => className), ...used])
  const unwanted = ({ metadata: { name } }: KubernetesObject): boolean => !classNames.has(name)
  const remove = async (resource: GroupVersionResource, objects: readonly KubernetesObject[]) => {
    await atMost(writesAtOnce, objects, async present => {
      if (await deleteObject(kubernetes, resource, present))
        log.info('object without a pool deleted', {
          resource: resource.plural,
          object: `${namespace}/${present.metadata.name}`,
        })
    })
  }
  const found = await listClassObjects(step)
  await remove(machineKinds.MachineDeployment.resource, unneeded)
  await remove(machineKinds.MachineClass.resource, found.classes.filter(unwanted))
  await remove(secrets, found.classSecrets.filter(unwanted))
  return found
}

/** Lists the classes of the namespace and their Secrets. */
export const listClassObjects = async (step: WorkerStep): Promise<ClassObjects> => {
  const namespace = namespaceOf(step)
  const [classes, classSecrets] = await Promise.all([
    listMachineObjects(step.kubernetes, 'MachineClass', namespace),
    listClassSecrets(step.kubernetes, namespace),
  ])
  return { classes, classSecrets }
}

/**
 * Waits while a desired class is missing or being deleted. Returns undefined if all exist or no machine controller
 * runs.
 */
export const awaitClasses = (
  step: WorkerStep,
  { deployments }: Wanted,
  found: ClassObjects,
): Promise<StepResult | undefined> => {
  const names = deployments.map(({ className }) => className)
  return waitWithController(step, 'machine classes', classesThere(names, found))
}

/** Waits for classes that must be gone before a deployment can use them again. */
export const awaitHeldBack = (step: WorkerStep, names: readonly string[]): Promise<StepResult | undefined> =>
  waitWithController(step, 'machine classes', waitForClasses(names))

/** Skips the wait without a machine controller, as in hibernation, because then no deletion completes. */
const waitWithController = async (
  step: WorkerStep,
  name: WaitName,
  wait: WaitState,
): Promise<StepResult | undefined> =>
  wait.kind === 'over' || ((await readController(step, namespaceOf(step))) ?? 0) === 0
    ? undefined
    : waitFor(step, name, wait)

/**
 * Waits until unneeded deployments are gone. Returns undefined if they are, or if no machine controller runs that could
 * remove their finalizers.
 */
export const awaitRemoval = (
  words: MachineWords,
  step: WorkerStep,
  desired: Wanted,
  observed: readonly MachineDeployment[],
): Promise<StepResult | undefined> => {
  const names = new Set(desired.deployments.map(({ name }) => name))
  return waitWithController(step, 'unwanted machine deployments', unwantedGone(observed, names, words))
}
