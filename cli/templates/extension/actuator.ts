import { extensionFlow } from '../../../shared/extension/extension.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** The name of the ManagedResource. */
export const nameOf = ({ metadata }: KubernetesObject) => `extension-${metadata.name}`

/** Applies objects to the shoot. */
export const extensionActuator = extensionFlow({
  resource: {
    name: nameOf,
    // Default: the objects are for the shoot. With `class: 'seed'`: for the shoot's namespace in the seed.
    key: 'extension.yaml',
    injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
  },
  // TODO: Return the objects of your extension. spec.providerConfig has the user's settings from the Shoot.
  objects: ({ object, cluster }) => [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: nameOf(object), namespace: 'kube-system' },
      data: { shoot: cluster?.spec.shoot.metadata?.name ?? '' },
    },
  ],
})
