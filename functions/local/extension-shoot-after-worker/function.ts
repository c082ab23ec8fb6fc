import { extensionPermissions } from '../../../shared/extension/extension.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { extensionActuator } from './actuator.ts'

/** Extensions of type `local-ext-shoot-after-worker`: a pod in a shoot that needs nodes. */
export const definition = defineFunction({
  name: 'local-extension-shoot-after-worker',
  kind: 'Extension',
  type: 'local-ext-shoot-after-worker',
  resyncMs: 60 * 60_000,
  registration: { lifecycle: { reconcile: 'AfterWorker' } },
  permissions: extensionPermissions,
  create: extensionActuator,
})
