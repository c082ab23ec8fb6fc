import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { inInstallOrder } from '../../../shared/manifests/manifests.ts'
import type { DesiredManagedResource } from '../../../shared/resources/resources.ts'

type ManagedResourceTraits = Omit<DesiredManagedResource, 'name' | 'namespace' | 'objects'>

const ofShoot = {
  keepObjects: false,
  // Gardener's clean-up of a shoot that is deleted leaves them to their ManagedResource.
  injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
  forceOverwriteAnnotations: false,
}

/** docs/contract/control-plane.md#managedresources */
const traits = {
  'extension-controlplane-configuration-seed': { class: 'seed', key: 'cloud-provider-config' },
  'extension-controlplane-seed': { class: 'seed', key: 'seed-controlplane' },
  'extension-controlplane-shoot': { key: 'shoot-system-components', ...ofShoot },
  'extension-controlplane-shoot-crds': { key: 'shoot-crds', ...ofShoot },
  'extension-controlplane-storageclasses': {
    key: 'shoot-storageclasses',
    ...ofShoot,
    forceOverwriteAnnotations: true,
  },
} as const satisfies Record<string, ManagedResourceTraits>

export type ManagedResourceName = keyof typeof traits

/** One of the ManagedResources of a control plane, in the shoot's namespace. */
export const managedResource = (
  namespace: string,
  name: ManagedResourceName,
  objects: readonly KubernetesObject[],
): DesiredManagedResource => ({ name, namespace, ...traits[name], objects: inInstallOrder(objects) })
