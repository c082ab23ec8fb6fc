import type { Extension } from '../../../shared/contract/objects.ts'
import { extensionFlow, extensionPermissions } from '../../../shared/extension/extension.ts'
import type { Actuator } from '../../../shared/lifecycle/lifecycle.ts'
import { serviceAccount } from '../../../shared/manifests/manifests.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'

const name = 'local-ext-seed'

/** Time for its objects to become healthy, in ms (docs/contract/provider-local.md#extensions). */
const healthyWithinMs = 2 * 60_000

/** Extensions of type `local-ext-seed`: an account in the namespace of the object, in the seed. */
const extensionActuator = (): Actuator<Extension> =>
  extensionFlow({
    resource: {
      name,
      class: 'seed',
      key: 'data.yaml.br',
      secretPrefix: 'managedresource-',
      keepObjects: false,
    },
    objects: ({ object }) => [
      serviceAccount(object.metadata.namespace ?? '', name, { labels: { 'app.kubernetes.io/name': name } }),
    ],
    healthyWithinMs: () => healthyWithinMs,
  })

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
