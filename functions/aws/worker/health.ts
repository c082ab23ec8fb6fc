import { type HealthDefinition, machinesCheck } from '../../../shared/health/health.ts'
import { awsClassifiers, withoutNoise } from '../../../terraform-free-infra/aws/account/aws.ts'

/** The health checks of an AWS Worker (docs/contract/health.md#what-is-checked). */
export const workerHealth: HealthDefinition = {
  conditions: [{ type: 'EveryNodeReady', checks: [machinesCheck(awsClassifiers, withoutNoise)] }],
  // A condition of earlier extensions, which reported the machine controller with it.
  removes: ['ControlPlaneHealthy'],
}
