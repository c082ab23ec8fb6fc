import { machineKinds } from '../../contract/machine-kinds.ts'
import type { MachineDeployment } from '../../contract/objects.ts'
import { deleteObject } from '../../kubernetes/keep-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { StepResult } from '../../lifecycle/lifecycle.ts'
import { secrets } from '../core-resources.ts'
import type { DesiredWorker } from '../desired/desired-worker.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import { listClassSecrets, listMachineObjects } from '../objects/observe.ts'
import type { MachineProvider } from '../provider.ts'
import { unwantedGone } from '../waits/unwanted-gone.ts'
import { readController } from './machine-controller.ts'
import { settle } from './wait.ts'
import { namespaceOf, type WorkerStep } from './worker-step.ts'

type Wanted = Pick<DesiredWorker, 'deployments'>

/** Those of the namespace that no pool wants any more. */
export const unwantedDeployments = (
  { deployments }: Wanted,
  observed: readonly MachineDeployment[],
): readonly MachineDeployment[] => {
  const names = new Set(deployments.map(({ name }) => name))
  return observed.filter(({ metadata }) => !names.has(metadata.name))
}

/**
 * Deletes the MachineDeployments, then the MachineClasses, then the class Secrets of the namespace that nothing wants any
 * more (docs/contract/workers.md#order-of-writes). Only for a Worker whose pools have no problem and whose machines are
 * available.
 */
export const removeUnwanted = async (
  { object, kubernetes, log }: WorkerStep,
  desired: Wanted,
  observed: readonly MachineDeployment[],
): Promise<void> => {
  const { namespace = '' } = object.metadata
  const classNames = new Set(desired.deployments.map(({ className }) => className))
  const unwanted = ({ metadata: { name } }: KubernetesObject): boolean => !classNames.has(name)
  const remove = async (resource: GroupVersionResource, objects: readonly KubernetesObject[]) => {
    await atMost(writesAtOnce, objects, async present => {
      if (await deleteObject(kubernetes, resource, present)) {
        log.info('object of no pool deleted', {
          namespace,
          resource: resource.plural,
          name: present.metadata.name,
        })
      }
    })
  }
  const [classes, classSecrets] = await Promise.all([
    listMachineObjects(kubernetes, 'MachineClass', namespace),
    listClassSecrets(kubernetes, namespace),
  ])
  await remove(machineKinds.MachineDeployment.resource, unwantedDeployments(desired, observed))
  await remove(machineKinds.MachineClass.resource, classes.filter(unwanted))
  await remove(secrets, classSecrets.filter(unwanted))
}

/**
 * Waits until the deployments are gone that no pool wants any more, where a machine controller is there to let them go;
 * undefined: they are.
 */
export const awaitRemoval = async (
  { classifiers = [] }: Pick<MachineProvider, 'classifiers'>,
  step: WorkerStep,
  desired: Wanted,
  observed: readonly MachineDeployment[],
): Promise<StepResult | undefined> => {
  const wait = unwantedGone(observed, new Set(desired.deployments.map(({ name }) => name)), classifiers)
  if (wait.kind === 'over' || ((await readController(step, namespaceOf(step))) ?? 0) === 0) return undefined
  return settle(step, 'unwanted machine deployments', wait)
}
