import type { MachineDeployment, MachineSet } from '../../contract/objects.ts'
import { pods } from '../../kubernetes/core-resources.ts'
import { deleteObject } from '../../kubernetes/ensure-object.ts'
import { listAll } from '../../kubernetes/list-all.ts'
import { isStuck } from '../waits/is-stuck.ts'
import type { WorkerStep } from './worker-step.ts'

/**
 * Deletes the pods of a stuck machine controller: it has observed a deployment, but creates no set of its class. The
 * Deployment then creates new pods (docs/contract/workers.md#machine-controller-that-does-nothing).
 */
export const restartStuckController = async (
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
