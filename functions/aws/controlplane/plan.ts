import type { Cluster } from '../../../shared/contract/objects.ts'
import {
  type ControlPlanePlan,
  type ControlPlanePlanInput,
  planControlPlane as planAny,
  shootWebhooksName,
} from '../../../shared/control-plane/control-plane.ts'
import { awsControlPlane } from './aws-control-plane.ts'
import { openImages } from './images/images.ts'
import { controlPlaneSettings } from './settings.ts'

export interface PlanControlPlaneInput extends Omit<ControlPlanePlanInput, 'cluster'> {
  readonly cluster: Cluster | undefined
  /** As the setting of the function: a file with images in place of those that are built in. */
  readonly imagevectorOverwrite?: string | undefined
  /** As the setting of the function: the namespace of the process of the webhooks. */
  readonly webhooksNamespace?: string | undefined
}

/**
 * What the next steps of the function would do with a ControlPlane, with the images that it would have. Reads the API server and
 * that file alone, and changes nothing; throws what a step would throw.
 */
export const planControlPlane = async ({
  cluster,
  imagevectorOverwrite = '',
  webhooksNamespace = controlPlaneSettings.shape.webhooksNamespace.parse(undefined),
  ...input
}: PlanControlPlaneInput): Promise<ControlPlanePlan> => {
  if (cluster === undefined) throw new Error(`there is no Cluster ${input.object.metadata.namespace}`)
  const shootWebhooks = { namespace: webhooksNamespace, name: shootWebhooksName('provider-aws') }
  return planAny(awsControlPlane(openImages(imagevectorOverwrite), shootWebhooks), { ...input, cluster })
}
