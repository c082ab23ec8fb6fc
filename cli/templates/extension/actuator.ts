import type { Extension } from '../../../shared/contract/objects.ts'
import { resourceActuator } from '../resources/resources.ts'

const keyOf = ({ metadata: { name, namespace = '' } }: Extension) => ({
  name: `extension-${name}`,
  namespace,
})

/** Objects in the shoot. */
export const extensionActuator = resourceActuator<Extension>(
  ({ object, cluster }) => ({
    resource: {
      ...keyOf(object),
      // Default: for the shoot. `class: 'seed'`: for the namespace of the shoot in the seed.
      key: 'extension.yaml',
      injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
      // TODO: the objects of the extension, by spec.providerConfig, which the user wrote in the Shoot.
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
