import { managedResourceCheck } from '../../../shared/health/health.ts'
import { resourcePermissions } from '../../../shared/resources/resources.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { extensionActuator, nameOf } from './actuator.ts'

/** Extensions of type `acme`: an additional component for a shoot. */
export const definition = defineFunction({
  name: 'acme-extension',
  kind: 'Extension',
  type: 'acme',
  classes: ['shoot'],
  finalizerSuffix: 'acme',
  permissions: resourcePermissions,
  // gardenlet copies the condition to the Shoot.
  health: {
    conditions: [{ type: 'SystemComponentsHealthy', checks: [managedResourceCheck(nameOf)] }],
  },
  create: () => extensionActuator,
})
