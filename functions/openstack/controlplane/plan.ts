import type { ControlPlane } from '../../../shared/contract/objects.ts'
import {
  type ControlPlanePlan,
  planControlPlane as planAny,
} from '../../../shared/control-plane/control-plane.ts'
import { openImages } from '../../../shared/images/images.ts'
import type { SeedPlanInput } from '../../../shared/lifecycle/lifecycle.ts'
import { imageTable } from './images/image-table.ts'
import { openstackControlPlane } from './openstack-control-plane.ts'

export interface OpenStackControlPlanePlanInput extends SeedPlanInput<ControlPlane> {
  /** The function's setting: a file with images that override the built-in ones. */
  readonly imagevectorOverwrite?: string | undefined
}

/**
 * Returns the changes that the next steps of the function would make for a ControlPlane, with its images. Reads only
 * the API server and that file. Throws the errors that a step would throw.
 */
export const planControlPlane = async ({
  imagevectorOverwrite = '',
  ...input
}: OpenStackControlPlanePlanInput): Promise<ControlPlanePlan> => {
  return planAny(openstackControlPlane(openImages(imageTable, imagevectorOverwrite)), input)
}
