import { managedResourceCheck } from '../../../shared/health/health.ts'
import { resourcePermissions } from '../../../shared/resources/resources.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { nameOf, networkActuator } from './actuator.ts'

/** Networks of type `acme`: the pod network of a shoot. */
export const definition = defineFunction({
  name: 'acme-network',
  kind: 'Network',
  type: 'acme',
  classes: ['shoot'],
  permissions: resourcePermissions,
  // gardenlet copies the condition to the Shoot.
  health: {
    conditions: [{ type: 'SystemComponentsHealthy', checks: [managedResourceCheck(nameOf)] }],
  },
  create: () => networkActuator,
})
