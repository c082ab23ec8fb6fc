import {
  operatingSystemConfigFlow,
  operatingSystemConfigPermissions,
  operatingSystemConfigService,
} from '../../../shared/operating-system-config/operating-system-config.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { suseChost } from './suse-chost.ts'

/** Machines with SUSE CHost, also with vSMP memory. */
export const definition = defineFunction({
  name: 'suse-chost-operatingsystemconfig',
  kind: 'OperatingSystemConfig',
  type: ['suse-chost', 'memoryone-chost'],
  permissions: operatingSystemConfigPermissions,
  service: operatingSystemConfigService,
  create: () => operatingSystemConfigFlow(suseChost),
})
