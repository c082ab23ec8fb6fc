import { resourcePermissions } from '../../../shared/resources/resources.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { extensionActuator } from './actuator.ts'

/** Extensions of type `acme`: something that a shoot gets beside everything else. */
export const definition = defineFunction({
  name: 'acme-extension',
  kind: 'Extension',
  type: 'acme',
  classes: ['shoot'],
  finalizerSuffix: 'acme',
  permissions: resourcePermissions,
  create: () => extensionActuator,
})
