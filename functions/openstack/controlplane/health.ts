import { cloudControllerName } from '../../../shared/control-plane/components/components.ts'
import { deploymentCheck, type HealthDefinition } from '../../../shared/health/health.ts'

/** The health checks of a ControlPlane of OpenStack (docs/contract/openstack.md#health-checks). */
export const controlPlaneHealth: HealthDefinition = {
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
