import type { Cluster } from '../../../shared/contract/objects.ts'
import {
  type ControlPlanePlan,
  type ControlPlanePlanInput,
  planControlPlane as planAny,
  shootWebhooksName,
} from '../../../shared/control-plane/control-plane.ts'
import { openImages } from '../../../shared/images/images.ts'
import { awsControlPlane } from './aws-control-plane.ts'
import { imageTable } from './images/image-table.ts'
import { controlPlaneSettings } from './settings.ts'

export interface PlanControlPlaneInput extends Omit<ControlPlanePlanInput, 'cluster'> {
  readonly cluster: Cluster | undefined
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
  cluster,
  imagevectorOverwrite = '',
  webhooksNamespace = controlPlaneSettings.shape.webhooksNamespace.parse(undefined),
  ...input
}: PlanControlPlaneInput): Promise<ControlPlanePlan> => {
  if (cluster === undefined)
    throw new Error(`the namespace ${input.object.metadata.namespace} has no Cluster`)
  const shootWebhooks = { namespace: webhooksNamespace, name: shootWebhooksName('provider-aws') }
  return planAny(awsControlPlane(openImages(imageTable, imagevectorOverwrite), shootWebhooks), {
    ...input,
    cluster,
  })
}
