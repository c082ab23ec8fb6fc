import type { Cluster } from '../../../shared/contract/objects.ts'
import {
  type ControlPlanePlan,
  type ControlPlanePlanInput,
  planControlPlane as planAny,
} from '../../../shared/control-plane/control-plane.ts'
import { imageTable } from '../../../terraform-free-infra/aws/images/images.ts'
import { awsControlPlane } from './aws-control-plane.ts'

export interface PlanControlPlaneInput extends Omit<ControlPlanePlanInput, 'cluster'> {
  readonly cluster: Cluster | undefined
}

/**
 * What the next steps of the function would do with a ControlPlane, with the images that are built in. Reads the API server
 * alone, and changes nothing; throws what a step would throw.
 */
export const planControlPlane = async ({
  cluster,
  ...input
}: PlanControlPlaneInput): Promise<ControlPlanePlan> => {
  if (cluster === undefined) throw new Error(`there is no Cluster ${input.object.metadata.namespace}`)
  return planAny(awsControlPlane(imageTable), { ...input, cluster })
}
