import { createHash } from 'node:crypto'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { inInstallOrder, noCleanUpLabels } from '../../manifests/manifests.ts'
import type { DesiredManagedResource } from '../../resources/resources.ts'

type ManagedResourceTraits = Omit<DesiredManagedResource, 'name' | 'namespace' | 'objects'>

const ofShoot = {
  keepObjects: false,
  // Excludes the objects from Gardener's clean-up of a deleted shoot. The ManagedResource deletes them.
  injectLabels: noCleanUpLabels,
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

/**
 * Returns the checksum of the `data` of a Secret (values in base64) or a ConfigMap, as the Go extension writes it into
 * annotations of pods (docs/contract/control-plane.md#checksums): SHA-256 in hex. For a missing Secret: of `{}`.
 *
 * @example
 * const annotations = { 'checksum/config': checksum({ 'config.yaml': 'a: 1' }) }
 */
export const checksum = (data: Readonly<Record<string, string>>): string => {
  const sorted = Object.fromEntries(Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1)))
  return createHash('sha256').update(goJson(sorted)).digest('hex')
}

/** Go's encoder escapes characters with another meaning in HTML or old JavaScript. */
const goJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
