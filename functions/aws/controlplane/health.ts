import type { ErrorCode } from '../../../shared/contract/constants.ts'
import { deploymentCheck, type HealthDefinition, shootEventsCheck } from '../../../shared/health/health.ts'

/** The error codes of a warning of the route controller. */
const routeCodes = (message: string): readonly ErrorCode[] => [
  message.includes('RouteLimitExceeded') ? 'ERR_INFRA_QUOTA_EXCEEDED' : 'ERR_RETRYABLE_INFRA_DEPENDENCIES',
]

/** The health checks of a ControlPlane of AWS (docs/contract/health.md#what-is-checked). */
export const controlPlaneHealth: HealthDefinition = {
  conditions: [
    {
      type: 'ControlPlaneHealthy',
      checks: [
        deploymentCheck('cloud-controller-manager'),
        deploymentCheck('csi-driver-controller'),
        deploymentCheck('csi-snapshot-controller'),
        deploymentCheck('aws-custom-route-controller'),
        // Off in most shoots.
        deploymentCheck('aws-ipam-controller', { onlyIfOn: true }),
        deploymentCheck('aws-load-balancer-controller', { onlyIfOn: true }),
        shootEventsCheck('aws-custom-route-controller', routeCodes),
      ],
    },
  ],
}
