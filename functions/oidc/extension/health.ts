import { type HealthDefinition, managedResourceCheck } from '../../../shared/health/health.ts'
import { seedName } from './managed-resources.ts'

/** What the health of the Extension is made of: what runs in the seed. */
export const extensionHealth: HealthDefinition = {
  conditions: [{ type: 'ControlPlaneHealthy', checks: [managedResourceCheck(seedName)] }],
}
