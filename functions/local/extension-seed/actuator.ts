import type { Extension } from '../../../shared/contract/objects.ts'
import { extensionFlow } from '../../../shared/extension/extension.ts'
import type { Actuator } from '../../../shared/lifecycle/lifecycle.ts'
import { serviceAccount } from '../../../shared/manifests/manifests.ts'

const name = 'local-ext-seed'

/** Time for its objects to become healthy, in ms (docs/contract/provider-local.md#extensions). */
const healthyWithinMs = 2 * 60_000

/** Extensions of type `local-ext-seed`: an account in the namespace of the object, in the seed. */
export const extensionActuator = (): Actuator<Extension> =>
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
