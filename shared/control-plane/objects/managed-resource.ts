import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { inInstallOrder } from '../../manifests/manifests.ts'
import type { DesiredManagedResource } from '../../resources/resources.ts'

type ManagedResourceTraits = Omit<DesiredManagedResource, 'name' | 'namespace' | 'objects'>

const ofShoot = {
  keepObjects: false,
  // Excludes the objects from Gardener's clean-up of a deleted shoot. The ManagedResource deletes them.
  injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
  forceOverwriteAnnotations: false,
}

/** docs/contract/control-planes.md#names */
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

/**
 * Returns a ManagedResource of a control plane in the shoot's namespace, in the form that all Gardener extensions use.
 */
export const managedResource = (
  namespace: string,
  name: ManagedResourceName,
  objects: readonly KubernetesObject[],
): DesiredManagedResource => ({ name, namespace, ...traits[name], objects: inInstallOrder(objects) })
