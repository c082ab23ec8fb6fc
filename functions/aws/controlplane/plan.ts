import type { ControlPlane } from '../../../shared/contract/objects.ts'
import {
  type ControlPlanePlan,
  planControlPlane as planAny,
  shootWebhooksName,
} from '../../../shared/control-plane/control-plane.ts'
import { openImages } from '../../../shared/images/images.ts'
import type { SeedPlanInput } from '../../../shared/lifecycle/lifecycle.ts'
import { awsControlPlane } from './aws-control-plane.ts'
import { imageTable } from './images/image-table.ts'
import { controlPlaneSettings } from './settings.ts'

export interface PlanControlPlaneInput extends SeedPlanInput<ControlPlane> {
  /** The function's setting: a file with images that override the built-in ones. */
  readonly imagevectorOverwrite?: string | undefined
  /** The function's setting: the namespace of the webhooks process. */
  readonly webhooksNamespace?: string | undefined
}

/**
 * Returns the changes that the next steps of the function would make for a ControlPlane, with its images. Reads only
 * the API server and that file. Throws the errors that a step would throw.
 */
export const planControlPlane = async ({
  imagevectorOverwrite = '',
  webhooksNamespace = controlPlaneSettings.shape.webhooksNamespace.parse(undefined),
  ...input
}: PlanControlPlaneInput): Promise<ControlPlanePlan> => {
  const shootWebhooks = { namespace: webhooksNamespace, name: shootWebhooksName('provider-aws') }
  return planAny(awsControlPlane(openImages(imageTable, imagevectorOverwrite), shootWebhooks), input)
}
