import type { Worker } from '../../../shared/contract/objects.ts'
import type { CloudPlanInput, SeedPlanInput } from '../../../shared/lifecycle/lifecycle.ts'
import { planWorker as planMachines, type WorkerPlan } from '../../../shared/worker/worker.ts'
import type { OpenStackConnection } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { openstackMachines } from './openstack-machines.ts'

/**
 * Returns the changes that the next steps of the function would make for a Worker, from the same reads and code. Calls
 * OpenStack only for server groups. The id of a server group that does not exist yet, and with it the hash of its
 * classes, is unknown. Throws the errors that a step would throw before its first change.
 */
export const planWorker = ({
  connection,
  ...input
}: SeedPlanInput<Worker> & CloudPlanInput<Worker, OpenStackConnection>): Promise<WorkerPlan> =>
  planMachines(openstackMachines(connection, input.clock), input)
