import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { cloudPermissions } from '../cloud/cloud.ts'
import { infrastructureActuator } from './actuator.ts'

/** Infrastructures of type `acme`: the network under the nodes of a shoot. */
export const definition = defineFunction({
  name: 'acme-infrastructure',
  kind: 'Infrastructure',
  type: 'acme',
  classes: ['shoot'],
  permissions: cloudPermissions,
  create: () => infrastructureActuator,
})
