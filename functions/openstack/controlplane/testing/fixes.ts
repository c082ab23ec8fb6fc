import type { ManagedResourceName } from '../../../../shared/control-plane/control-plane.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { cloudConfigName, configFile } from '../names.ts'

interface OpenStackFix {
  /** The defect, in the words of docs/contract/openstack.md#defects. */
  readonly why: string
  readonly resource: ManagedResourceName
  /** Changes rendered objects to those of the Go extension. */
  readonly undo: (objects: readonly KubernetesObject[]) => readonly KubernetesObject[]
}

/** Changes the text of a configuration. */
const withConfig =
  (change: (config: string) => string) =>
  (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
    objects.map(object => {
      if (object.kind !== 'Secret' || object.metadata.name !== cloudConfigName) return object
      const { data } = object as unknown as { readonly data: Readonly<Record<string, string>> }
      const config = change(Buffer.from(data[configFile] ?? '', 'base64').toString())
      return { ...object, data: { ...data, [configFile]: Buffer.from(config).toString('base64') } }
    })

/**
 * The intended differences between the recordings and the rendered objects. Any other difference is a mistake.
 *
 * - D20: a shoot with such a class is not taken over with 0 writes: its configuration changes, and the cloud controller
 *   manager restarts once. Load balancers that exist keep their floating IPs, because the controller looks for one at
 *   the port of the load balancer first. New ones get an address of the network that the user chose.
 */
export const fixes: readonly OpenStackFix[] = [
  {
    why: 'a class of load balancers keeps its own network',
    resource: 'extension-controlplane-configuration-seed',
    undo: withConfig(config =>
      config.replaceAll(
        'floating-network-id="0c000000-0000-4000-8000-000000000003"',
        'floating-network-id="0a000000-0000-4000-8000-000000000005"',
      ),
    ),
  },
]
