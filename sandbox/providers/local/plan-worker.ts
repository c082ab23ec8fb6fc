import { localMachines } from '../../../functions/local/worker/machines.ts'
import type { Worker } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { planWorker as planMachines } from '../../../shared/worker/worker.ts'
import { workerPlan } from '../../plan-texts/worker-plan.ts'
import type { ObjectPlan, PlanSurroundings } from '../provider.ts'

/** Returns the changes that the next steps would make for the machines of a Worker. Reads only the API server. */
export const planWorker = async (
  object: KubernetesObject,
  surroundings: PlanSurroundings,
): Promise<ObjectPlan> => {
  const plan = await planMachines(localMachines, { ...surroundings, object: object as Worker })
  return workerPlan(plan, surroundings.destroy)
}
