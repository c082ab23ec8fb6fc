import { type HealthDefinition, machinesCheck } from '../../../shared/health/health.ts'
import { awsClassifiers, withoutNoise } from '../../../terraform-free-infra/aws/account/aws.ts'

/** What the health of a Worker of AWS is made of (docs/contract/health.md#what-is-checked). */
export const workerHealth: HealthDefinition = {
  conditions: [{ type: 'EveryNodeReady', checks: [machinesCheck(awsClassifiers, withoutNoise)] }],
  // Of extensions before this one, which watched the machine controller by it.
  removes: ['ControlPlaneHealthy'],
}
