import { resourcePermissions } from '../../../shared/resources/resources.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { extensionActuator } from './actuator.ts'

/** Extensions of type `acme`: an additional component for a shoot. */
export const definition = defineFunction({
  name: 'acme-extension',
  kind: 'Extension',
  type: 'acme',
  classes: ['shoot'],
  finalizerSuffix: 'acme',
  permissions: resourcePermissions,
  create: () => extensionActuator,
})
