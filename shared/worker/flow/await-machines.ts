import { isHibernationEnabled } from '../../contract/cluster-facts.ts'
import type { Cluster, MachineDeployment, MachineSet } from '../../contract/objects.ts'
import { pods } from '../../kubernetes/core-resources.ts'
import { deleteObject } from '../../kubernetes/ensure-object.ts'
import { listAll } from '../../kubernetes/list-all.ts'
import type { StepResult } from '../../lifecycle/lifecycle.ts'
import { messageOf } from '../../text/message-of.ts'
import type { DesiredWorker } from '../desired/desired-worker.ts'
import { listMachineObjects } from '../objects/observe.ts'
import type { MachineWords } from '../provider.ts'
import { deploymentsAvailable, type ObservedMachines } from '../waits/deployments-available.ts'
import { isStuck } from '../waits/is-stuck.ts'
import { waitFor } from './wait.ts'
import type { WorkerStep } from './worker-step.ts'

/**
 * Waits until the machines of all deployments are available, or gone in hibernation. Returns undefined if they are.
 * Before it fails, it restarts a machine controller that is stuck.
 */
export const awaitMachines = async (
  words: MachineWords,
  step: WorkerStep,
  { deployments: desired }: Pick<DesiredWorker, 'deployments'>,
  cluster: Cluster,
  observed: readonly MachineDeployment[],
): Promise<StepResult | undefined> => {
  const hibernation = isHibernationEnabled(cluster)
  // A deployment that is being deleted is recreated once it is gone.
  const present = hibernation
    ? observed
    : observed.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const found = await observeMachines(step, present, hibernation || desired.some(isManual))
  try {
    return waitFor(
      step,
      'machine deployments',
      deploymentsAvailable({ ...found, desired, hibernation, words }),
    )
  } catch (error) {
    await restartStuckController(step, found).catch((failure: unknown) => {
      // The reported error is the reason for the missing machines.
      step.log.warn('cannot restart machine controller', { error: messageOf(failure) })
    })
    throw error
  }
}

const isManual = ({ pool }: DesiredWorker['deployments'][number]): boolean =>
  pool.updateStrategy === 'ManualInPlaceUpdate'

/** Machines are read only if needed, because there may be thousands. */
const observeMachines = async (
  { object, kubernetes }: WorkerStep,
  deployments: readonly MachineDeployment[],
  withMachines: boolean,
): Promise<ObservedMachines> => {
  const { namespace = '' } = object.metadata
  const [sets, machines] = await Promise.all([
    listMachineObjects(kubernetes, 'MachineSet', namespace),
    withMachines ? listMachineObjects(kubernetes, 'Machine', namespace) : [],
  ])
  return { deployments, sets, machines }
}

/**
 * Deletes the pods of a stuck machine controller: it has observed a deployment, but creates no set of its class. The
 * Deployment then creates new pods (docs/contract/workers.md#machine-controller-that-does-nothing).
 */
const restartStuckController = async (
  { object, kubernetes, clock, log }: WorkerStep,
  {
    deployments,
    sets,
  }: { readonly deployments: readonly MachineDeployment[]; readonly sets: readonly MachineSet[] },
): Promise<void> => {
  const now = clock.now()
  const stuck = deployments.find(deployment => isStuck(deployment, sets, now))
  if (stuck === undefined) return
  const { namespace = '' } = object.metadata
  const controllers = await listAll(kubernetes, pods, {
    namespace,
    labelSelector: 'role=machine-controller-manager',
  })
  log.warn('machine controller creates no machine set; deleting its pods', {
    namespace,
    deployment: stuck.metadata.name,
    pods: controllers.length,
  })
  await Promise.all(controllers.map(pod => deleteObject(kubernetes, pods, pod)))
}
