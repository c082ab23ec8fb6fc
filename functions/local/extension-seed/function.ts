import { extensionPermissions } from '../../../shared/extension/extension.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { extensionActuator } from './actuator.ts'

/** Extensions of type `local-ext-seed`: an object in the seed. */
export const definition = defineFunction({
  name: 'local-extension-seed',
  kind: 'Extension',
  type: 'local-ext-seed',
  classes: ['shoot', 'seed'],
  resyncMs: 60 * 60_000,
  registration: {
    lifecycle: {
      reconcile: 'BeforeKubeAPIServer',
      delete: 'AfterKubeAPIServer',
      migrate: 'AfterKubeAPIServer',
    },
    workerlessSupported: true,
  },
  permissions: extensionPermissions,
  create: extensionActuator,
})
