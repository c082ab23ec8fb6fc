import { controlPlaneFlow, controlPlanePermissions } from '../../../shared/control-plane/control-plane.ts'
import { deploymentsPermission } from '../../../shared/health/health.ts'
import { openImages } from '../../../shared/images/images.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { controlPlaneHealth } from './health.ts'
import { imageTable } from './images/image-table.ts'
import { controlPlaneLogs } from './logs.ts'
import { openstackControlPlane } from './openstack-control-plane.ts'
import { controlPlaneSettings } from './settings.ts'

/** ControlPlanes of type `openstack`: the components for load balancers, volumes and routes of OpenStack in a shoot. */
export const definition = defineFunction({
  name: 'openstack-controlplane',
  kind: 'ControlPlane',
  type: 'openstack',
  classes: ['shoot'],
  settings: controlPlaneSettings,
  permissions: [...controlPlanePermissions, deploymentsPermission],
  health: controlPlaneHealth,
  logs: controlPlaneLogs,
  service: {
    reaches: ['shoots'],
    maxScale: { value: 3, why: 'Steps only call the API server: more processes would share its limits.' },
    concurrency: {
      value: 20,
      why: 'A new control plane needs two RSA keys, which threads of the process generate.',
    },
  },
  create: ({ imagevectorOverwrite }) =>
    controlPlaneFlow(openstackControlPlane(openImages(imageTable, imagevectorOverwrite))),
})
