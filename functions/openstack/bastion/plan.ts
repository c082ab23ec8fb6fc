import type { Bastion, Cluster } from '../../../shared/contract/objects.ts'
import type { StepKubernetes } from '../../../shared/lifecycle/lifecycle.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import { type Plan, planGraph } from '../../../terraform-free-infra/engine/engine.ts'
import {
  createAccess,
  type OpenStackAccess,
  type OpenStackConnection,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { checkBastion } from './actuator.ts'
import { bastionGraph } from './graph.ts'
import { desiredBastion } from './request.ts'
import { decodeState, isDeleting } from './state.ts'

export interface BastionPlanInput extends CloudPlanInput<Bastion, OpenStackConnection> {
  readonly cluster: Cluster | undefined
  /** Reads the Infrastructure. */
  readonly kubernetes: Pick<StepKubernetes, 'get'>
}

/**
 * Returns the changes that the next steps of the function would make for a Bastion, from the same reads and checks.
 * Reads only. Throws the errors that a step would throw before its first change.
 */
export const planBastion = ({
  object,
  cluster,
  secret,
  kubernetes,
  connection,
  clock,
  signal,
  destroy = false,
}: BastionPlanInput): Promise<Plan<OpenStackAccess>> => {
  const plan = async (): Promise<Plan<OpenStackAccess>> => {
    if (!destroy) checkBastion(object)
    const desired = await desiredBastion({ object, cluster }, kubernetes, { destroy })
    const open = createAccess(connection, clock)
    const cloud = open({ secret, region: desired.region, signal, throwIfExpired: refuseWrites })
    const { graph } = bastionGraph(desired, clock)
    const state = decodeState(object.status?.state)
    return planGraph({ graph, cloud, state, clock, signal, destroy, adopt: !isDeleting(state) })
  }
  return withErrorCodes(plan())
}
