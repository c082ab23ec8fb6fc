import type { Cluster } from '../../../shared/contract/objects.ts'
import {
  planWorker as planMachines,
  type WorkerPlan,
  type WorkerPlanInput,
} from '../../../shared/worker/worker.ts'
import type { OpenStackConnection } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { openstackMachines } from './openstack-machines.ts'

export interface OpenStackWorkerPlanInput extends Omit<WorkerPlanInput, 'cluster'> {
  readonly cluster: Cluster | undefined
  readonly connection: OpenStackConnection
}

/**
 * Returns the changes that the next steps of the function would make for a Worker, from the same reads and code. Calls
 * OpenStack only for server groups. The id of a server group that does not exist yet, and with it the hash of its
 * classes, is unknown. Throws the errors that a step would throw before its first change.
 */
export const planWorker = async ({
  cluster,
  connection,
  ...input
}: OpenStackWorkerPlanInput): Promise<WorkerPlan> => {
  if (cluster === undefined)
    throw new Error(`the namespace ${input.object.metadata.namespace} has no Cluster`)
  return planMachines(openstackMachines(connection, input.clock), { ...input, cluster })
}
