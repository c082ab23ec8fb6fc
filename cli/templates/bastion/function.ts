import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { cloudPermissions } from '../cloud/cloud.ts'
import { bastionActuator } from './actuator.ts'

/** Bastions of type `acme`: a machine with SSH access to the nodes of a shoot. */
export const definition = defineFunction({
  name: 'acme-bastion',
  kind: 'Bastion',
  type: 'acme',
  classes: ['shoot'],
  permissions: cloudPermissions,
  create: () => bastionActuator,
})
