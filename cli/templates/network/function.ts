import { resourcePermissions } from '../../../shared/resources/resources.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { networkActuator } from './actuator.ts'

/** Networks of type `acme`: the pod network of a shoot. */
export const definition = defineFunction({
  name: 'acme-network',
  kind: 'Network',
  type: 'acme',
  classes: ['shoot'],
  permissions: resourcePermissions,
  create: () => networkActuator,
})
