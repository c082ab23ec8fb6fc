import { parseTimestamp } from '../../clock/clock.ts'
import type { MachineDeployment, MachineSet } from '../../contract/objects.ts'
import { pods } from '../core-resources.ts'
import { deleteObject } from '../objects/keep-object.ts'
import { listAll } from '../objects/observe.ts'
import { classNameOf, setsOf } from '../waits/owned.ts'
import type { Step } from './write-machines.ts'

/** How long the machine controller may take for the set of a new deployment, in ms. */
const patienceMs = 2 * 60_000

/**
 * Deletes the pods of a machine controller that has taken up a deployment and makes no set of its class: it hangs, and its
 * Deployment makes new pods (docs/contract/workers.md#machine-controller-that-does-nothing).
 */
export const restartStuckController = async (
  { object, kubernetes, clock, log }: Step,
  {
    deployments,
    sets,
  }: { readonly deployments: readonly MachineDeployment[]; readonly sets: readonly MachineSet[] },
): Promise<void> => {
  const now = clock.now()
  const stuck = deployments.find(deployment => isStuck(deployment, sets, now))
  if (stuck === undefined) return
  const { namespace = '' } = object.metadata
  const controllers = await listAll(kubernetes, pods, namespace, 'role=machine-controller-manager')
  log.warn('machine controller makes no machine set, its pods are deleted', {
    namespace,
    deployment: stuck.metadata.name,
    pods: controllers.length,
  })
  await Promise.all(controllers.map(pod => deleteObject(kubernetes, pods, pod)))
}

const isStuck = (deployment: MachineDeployment, sets: readonly MachineSet[], now: number): boolean => {
  const { finalizers = [], creationTimestamp = '' } = deployment.metadata
  const created = parseTimestamp(creationTimestamp)
  return (
    finalizers.includes('machine.sapcloud.io/machine-controller-manager') &&
    created !== undefined &&
    now - created > patienceMs &&
    !setsOf(deployment, sets).some(set => classNameOf(set) === classNameOf(deployment))
  )
}
