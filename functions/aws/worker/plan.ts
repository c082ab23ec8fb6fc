import type { Cluster } from '../../../shared/contract/objects.ts'
import {
  planWorker as planMachines,
  type WorkerPlan,
  type WorkerPlanInput,
} from '../../../shared/worker/worker.ts'
import { withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { awsMachines } from './aws-machines.ts'

export interface PlanWorkerInput extends Omit<WorkerPlanInput, 'cluster'> {
  readonly cluster: Cluster | undefined
}

/**
 * Returns the changes that the next steps of the function would make for a Worker, from the same reads and code. Reads
 * only the API server. Throws the errors that a step would throw before its first change.
 */
export const planWorker = async ({ cluster, ...input }: PlanWorkerInput): Promise<WorkerPlan> => {
  if (cluster === undefined)
    throw new Error(`the namespace ${input.object.metadata.namespace} has no Cluster`)
  try {
    return await planMachines(awsMachines, { ...input, cluster })
  } catch (error) {
    throw withCodes(error)
  }
}
