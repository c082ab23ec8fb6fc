import { type HealthDefinition, managedResourceCheck } from '../../../build/library/health.ts'
import { seedName } from './managed-resources.ts'

/** The health checks of the Extension: its components in the seed. */
export const extensionHealth: HealthDefinition = {
  conditions: [{ type: 'ControlPlaneHealthy', checks: [managedResourceCheck(seedName)] }],
}
