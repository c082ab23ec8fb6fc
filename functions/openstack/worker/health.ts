import { type HealthDefinition, machinesCheck } from '../../../shared/health/health.ts'
import { openstackClassifiers } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { withoutRequestIds } from './openstack-machines.ts'

/** The health checks of a Worker of type `openstack` (docs/contract/health.md#what-is-checked). */
export const workerHealth: HealthDefinition = {
  conditions: [{ type: 'EveryNodeReady', checks: [machinesCheck(openstackClassifiers, withoutRequestIds)] }],
}
