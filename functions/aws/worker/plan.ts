import type { Worker } from '../../../shared/contract/objects.ts'
import type { SeedPlanInput } from '../../../shared/lifecycle/lifecycle.ts'
import { planWorker as planMachines, type WorkerPlan } from '../../../shared/worker/worker.ts'
import { coded } from '../../../terraform-free-infra/aws/account/aws.ts'
import { awsMachines } from './aws-machines.ts'

/**
 * Returns the changes that the next steps of the function would make for a Worker, from the same reads and code. Reads
 * only the API server. Throws the errors that a step would throw before its first change.
 */
export const planWorker = (input: SeedPlanInput<Worker>): Promise<WorkerPlan> =>
  coded(planMachines(awsMachines, input))
