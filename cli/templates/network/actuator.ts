import type { Network } from '../../../shared/contract/objects.ts'
import { extensionFlow } from '../../../shared/extension/extension.ts'

/** The name of the ManagedResource. */
export const nameOf = () => 'extension-networking-acme'

/** Applies the objects of a network plugin to the shoot. */
export const networkActuator = extensionFlow<Network>({
  resource: {
    name: nameOf,
    key: 'network.yaml',
    injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
  },
  // TODO: Return the plugin's DaemonSet, roles and configuration. spec.providerConfig has the user's settings.
  objects: ({ object: { spec } }) => [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'acme-network', namespace: 'kube-system' },
      data: { pods: spec.podCIDR, services: spec.serviceCIDR },
    },
  ],
  // The IP families that the plugin supports. gardenlet reads them.
  status: ({ object: { spec } }) => ({ ipFamilies: spec.ipFamilies ?? ['IPv4'] }),
})
