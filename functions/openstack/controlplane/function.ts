import { cloudControllerName } from '../../../shared/control-plane/components/components.ts'
import {
  controlPlaneFlow,
  controlPlanePermissions,
  controlPlaneService,
} from '../../../shared/control-plane/control-plane.ts'
import {
  deploymentCheck,
  deploymentsPermission,
  type HealthDefinition,
} from '../../../shared/health/health.ts'
import { openImages } from '../../../shared/images/images.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionLogs } from '../../../shared/runtime/runtime.ts'
import { imageSettings, imageTable } from './images/image-table.ts'
import { openstackControlPlane } from './openstack-control-plane.ts'

/** The health checks of a ControlPlane of OpenStack (docs/contract/provider-openstack.md#controlplane). */
const controlPlaneHealth: HealthDefinition = {
  conditions: [
    {
      type: 'ControlPlaneHealthy',
      checks: [
        deploymentCheck(cloudControllerName),
        deploymentCheck('csi-driver-controller'),
        deploymentCheck('csi-snapshot-controller'),
      ],
    },
  ],
}

/** The log lines of the components in the seed (docs/contract/observing.md#fluent-bit). */
const controlPlaneLogs: readonly FunctionLogs[] = [
  { pod: 'cloud-controller-manager', container: 'openstack-cloud-controller-manager', format: 'klog' },
  { pod: 'csi-driver-controller', container: 'openstack-csi', format: 'klog' },
  { pod: 'csi-driver-manila-controller', container: 'openstack-csi', format: 'klog' },
  { pod: 'csi-snapshot-controller', container: 'openstack-csi', format: 'klog' },
]

/** ControlPlanes of type `openstack`: the components for load balancers, volumes and routes of OpenStack in a shoot. */
export const definition = defineFunction({
  name: 'openstack-controlplane',
  kind: 'ControlPlane',
  type: 'openstack',
  classes: ['shoot'],
  settings: imageSettings,
  permissions: [...controlPlanePermissions, deploymentsPermission],
  health: controlPlaneHealth,
  logs: controlPlaneLogs,
  service: controlPlaneService('two'),
  create: ({ imagevectorOverwrite }) =>
    controlPlaneFlow(openstackControlPlane(openImages(imageTable, imagevectorOverwrite))),
})
