import {
  controlPlaneFlow,
  controlPlanePermissions,
  controlPlaneService,
  shootWebhooksName,
} from '../../../shared/control-plane/control-plane.ts'
import { deploymentsPermission } from '../../../shared/health/health.ts'
import { openImages } from '../../../shared/images/images.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { awsControlPlane } from './aws-control-plane.ts'
import { controlPlaneHealth } from './health.ts'
import { imageTable } from './images/image-table.ts'
import { controlPlaneLogs } from './objects/logs.ts'
import { controlPlaneSettings } from './settings.ts'

/** ControlPlanes of type `aws`: the components for load balancers, volumes and routes of AWS in a shoot. */
export const definition = defineFunction({
  name: 'aws-controlplane',
  kind: 'ControlPlane',
  type: 'aws',
  classes: ['shoot'],
  settings: controlPlaneSettings,
  permissions: [...controlPlanePermissions, deploymentsPermission],
  health: controlPlaneHealth,
  logs: controlPlaneLogs,
  service: controlPlaneService('three'),
  create: ({ imagevectorOverwrite, webhooksNamespace }) =>
    controlPlaneFlow(
      awsControlPlane(openImages(imageTable, imagevectorOverwrite), {
        namespace: webhooksNamespace,
        name: shootWebhooksName('provider-aws'),
      }),
    ),
})
