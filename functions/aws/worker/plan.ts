import type { Cluster } from '../../../shared/contract/objects.ts'
import {
  planWorker as planMachines,
  type WorkerPlan,
  type WorkerPlanInput,
} from '../../../shared/worker/worker.ts'
import { withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { awsMachines } from './machines.ts'

export interface PlanWorkerInput extends Omit<WorkerPlanInput, 'cluster'> {
  readonly cluster: Cluster | undefined
}

/**
 * What the next steps of the function would do with a Worker, of the same reads and the same code. Reads the API server
 * alone, and changes nothing; throws what a step would throw before it does something.
 */
export const planWorker = async ({ cluster, ...input }: PlanWorkerInput): Promise<WorkerPlan> => {
  if (cluster === undefined) throw new Error(`there is no Cluster ${input.object.metadata.namespace}`)
  try {
    return await planMachines(awsMachines, { ...input, cluster })
  } catch (error) {
    throw withCodes(error)
  }
}
