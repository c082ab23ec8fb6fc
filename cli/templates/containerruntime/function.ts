import { managedResourceCheck } from '../../../shared/health/health.ts'
import { resourcePermissions } from '../../../shared/resources/resources.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { containerRuntimeActuator, nameOf } from './actuator.ts'

/** ContainerRuntimes of type `acme`: another container runtime for one pool. */
export const definition = defineFunction({
  name: 'acme-containerruntime',
  kind: 'ContainerRuntime',
  type: 'acme',
  classes: ['shoot'],
  permissions: resourcePermissions,
  // gardenlet copies the condition to the Shoot.
  health: {
    conditions: [{ type: 'SystemComponentsHealthy', checks: [managedResourceCheck(nameOf)] }],
  },
  create: () => containerRuntimeActuator,
})
