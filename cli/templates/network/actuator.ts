import type { Network } from '../../../shared/contract/objects.ts'
import { resourceActuator } from '../resources/resources.ts'

/** The name of the ManagedResource. */
export const nameOf = () => 'extension-networking-acme'

const keyOf = ({ metadata: { namespace = '' } }: Network) => ({ name: nameOf(), namespace })

/** Applies the objects of a network plugin to the shoot. */
export const networkActuator = resourceActuator<Network>(
  ({ object }) => ({
    resource: {
      ...keyOf(object),
      key: 'network.yaml',
      injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
      // TODO: Return the plugin's DaemonSet, roles and configuration. spec.providerConfig has the user's settings.
      objects: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'acme-network', namespace: 'kube-system' },
          data: { pods: object.spec.podCIDR, services: object.spec.serviceCIDR },
        },
      ],
    },
    // The IP families that the plugin supports. gardenlet reads them.
    status: { ipFamilies: object.spec.ipFamilies ?? ['IPv4'] },
  }),
  keyOf,
)
