import {
  operatingSystemConfigFlow,
  operatingSystemConfigPermissions,
  operatingSystemConfigService,
} from '../../../shared/operating-system-config/operating-system-config.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { readExtensionConfig, ubuntuSettings } from './settings.ts'
import { ubuntu } from './ubuntu.ts'

/** Machines with Ubuntu. */
export const definition = defineFunction({
  name: 'ubuntu-operatingsystemconfig',
  kind: 'OperatingSystemConfig',
  type: 'ubuntu',
  settings: ubuntuSettings,
  permissions: operatingSystemConfigPermissions,
  service: operatingSystemConfigService,
  create: ({ extensionConfig }) => operatingSystemConfigFlow(ubuntu(readExtensionConfig(extensionConfig))),
})
