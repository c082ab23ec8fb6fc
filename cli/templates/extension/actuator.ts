import type { Extension } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { resourceActuator } from '../resources/resources.ts'

/** The name of the ManagedResource. */
export const nameOf = ({ metadata }: KubernetesObject) => `extension-${metadata.name}`

const keyOf = (object: Extension) => ({
  name: nameOf(object),
  namespace: object.metadata.namespace ?? '',
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
