import {
  operatingSystemConfigFlow,
  operatingSystemConfigPermissions,
  operatingSystemConfigService,
} from '../../../shared/operating-system-config/operating-system-config.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { gardenLinux } from './garden-linux.ts'

/** Machines with Garden Linux, also with FIPS or with vSMP memory. */
export const definition = defineFunction({
  name: 'gardenlinux-operatingsystemconfig',
  kind: 'OperatingSystemConfig',
  type: ['gardenlinux', 'gardenlinux-fips', 'memoryone-gardenlinux'],
  permissions: operatingSystemConfigPermissions,
  service: operatingSystemConfigService,
  create: () => operatingSystemConfigFlow(gardenLinux),
})
