import type { Extension } from '../../../shared/contract/objects.ts'
import { resourceActuator } from '../resources/resources.ts'

const keyOf = ({ metadata: { name, namespace = '' } }: Extension) => ({
  name: `extension-${name}`,
  namespace,
})

/** Applies objects to the shoot. */
export const extensionActuator = resourceActuator<Extension>(
  ({ object, cluster }) => ({
    resource: {
      ...keyOf(object),
      // Default: the objects are for the shoot. With `class: 'seed'`: for the shoot's namespace in the seed.
      key: 'extension.yaml',
      injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
      // TODO: Return the objects of your extension. spec.providerConfig has the user's settings from the Shoot.
      objects: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `extension-${object.metadata.name}`, namespace: 'kube-system' },
          data: { shoot: cluster?.spec.shoot.metadata?.name ?? '' },
        },
      ],
    },
  }),
  keyOf,
)
