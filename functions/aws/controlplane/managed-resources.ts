import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/**
 * A ManagedResource as data (docs/contract/control-plane.md#managedresources): who writes it serialises the objects under the
 * key into a Secret.
 */
export interface DesiredManagedResource extends Traits {
  readonly name: ManagedResourceName
  readonly objects: readonly KubernetesObject[]
}

interface Traits {
  /** Absent: the objects are the shoot's. */
  readonly class?: 'seed'
  /** Of the Secret's data. */
  readonly key: string
  readonly keepObjects?: boolean
  readonly injectLabels?: Readonly<Record<string, string>>
  readonly forceOverwriteAnnotations?: boolean
}

const ofShoot = {
  keepObjects: false,
  // Gardener's clean-up of a shoot that is deleted leaves them to their ManagedResource.
  injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
  forceOverwriteAnnotations: false,
}

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
} as const satisfies Record<string, Traits>

export type ManagedResourceName = keyof typeof traits

export const managedResource = (
  name: ManagedResourceName,
  objects: readonly KubernetesObject[],
): DesiredManagedResource => ({ name, ...traits[name], objects })
