import type { Cluster } from '../../../shared/contract/objects.ts'
import {
  type ControlPlanePlan,
  type ControlPlanePlanInput,
  planControlPlane as planAny,
} from '../../../shared/control-plane/control-plane.ts'
import { openImages } from '../../../shared/images/images.ts'
import { imageTable } from './images/image-table.ts'
import { openstackControlPlane } from './openstack-control-plane.ts'

export interface OpenStackControlPlanePlanInput extends Omit<ControlPlanePlanInput, 'cluster'> {
  readonly cluster: Cluster | undefined
  /** The function's setting: a file with images that override the built-in ones. */
  readonly imagevectorOverwrite?: string | undefined
}

/**
 * Returns the changes that the next steps of the function would make for a ControlPlane, with its images. Reads only
 * the API server and that file. Throws the errors that a step would throw.
 */
export const planControlPlane = async ({
  cluster,
  imagevectorOverwrite = '',
  ...input
}: OpenStackControlPlanePlanInput): Promise<ControlPlanePlan> => {
  if (cluster === undefined)
    throw new Error(`the namespace ${input.object.metadata.namespace} has no Cluster`)
  return planAny(openstackControlPlane(openImages(imageTable, imagevectorOverwrite)), { ...input, cluster })
}
