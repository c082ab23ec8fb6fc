import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { operatingSystemConfigActuator } from './actuator.ts'
import { secretPermissions } from './user-data-secret.ts'

/** OperatingSystemConfigs of type `acme`: the boot script of a machine. */
export const definition = defineFunction({
  name: 'acme-operatingsystemconfig',
  kind: 'OperatingSystemConfig',
  type: 'acme',
  classes: ['shoot'],
  permissions: secretPermissions,
  create: () => operatingSystemConfigActuator,
})
