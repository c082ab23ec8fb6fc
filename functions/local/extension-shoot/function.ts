import { extensionPermissions } from '../../../shared/extension/extension.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { extensionActuator } from './actuator.ts'
import { testPolicyPermissions } from './forced-deletion-policies.ts'

/** Extensions of type `local-ext-shoot`: an object in a shoot. */
export const definition = defineFunction({
  name: 'local-extension-shoot',
  kind: 'Extension',
  type: 'local-ext-shoot',
  classes: ['shoot', 'garden'],
  resyncMs: 60 * 60_000,
  registration: { workerlessSupported: true },
  permissions: [...extensionPermissions, ...testPolicyPermissions],
  create: extensionActuator,
})
