import { operatingSystemConfigPermissions } from '../../../shared/operating-system-config/operating-system-config.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { operatingSystemConfigActuator } from './actuator.ts'

/** OperatingSystemConfigs of type `acme`: the boot script of a machine. */
export const definition = defineFunction({
  name: 'acme-operatingsystemconfig',
  kind: 'OperatingSystemConfig',
  type: 'acme',
  classes: ['shoot'],
  permissions: operatingSystemConfigPermissions,
  create: () => operatingSystemConfigActuator,
})
