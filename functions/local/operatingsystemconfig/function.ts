import {
  operatingSystemConfigFlow,
  operatingSystemConfigPermissions,
  operatingSystemConfigService,
} from '../../../shared/operating-system-config/operating-system-config.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { local } from './local.ts'

/** Machines of provider-local. */
export const definition = defineFunction({
  name: 'local-operatingsystemconfig',
  kind: 'OperatingSystemConfig',
  type: 'local',
  permissions: operatingSystemConfigPermissions,
  service: operatingSystemConfigService,
  create: () => operatingSystemConfigFlow(local),
})
