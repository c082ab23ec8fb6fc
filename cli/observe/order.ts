import type { KindName } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** The order in which gardenlet creates them (docs/contract/lifecycle.md#order-of-a-shoots-objects). */
const creation: readonly KindName[] = [
  'Infrastructure',
  'DNSRecord',
  'BackupEntry',
  'ControlPlane',
  'Extension',
  'ContainerRuntime',
  'OperatingSystemConfig',
  'Network',
  'Worker',
  'SelfHostedShootExposure',
  'Bastion',
]

/** The order in which gardenlet deletes them. */
const deletion: readonly KindName[] = [
  'Bastion',
  'Network',
  'ContainerRuntime',
  'Worker',
  'OperatingSystemConfig',
  'Extension',
  'ControlPlane',
  'Infrastructure',
  'SelfHostedShootExposure',
  'DNSRecord',
  'BackupEntry',
]

/** Sorts the extension objects of a shoot in Gardener's order, and objects of one kind by name. */
export const inGardenersOrder = (
  objects: readonly KubernetesObject[],
  isDeleting: boolean,
): readonly KubernetesObject[] => {
  const order: readonly string[] = isDeleting ? deletion : creation
  const placeOf = ({ kind, metadata: { name } }: KubernetesObject): number => {
    const place = order.indexOf(kind)
    // The record of the ingress needs an address that the Worker's machines make reachable.
    return kind === 'DNSRecord' && !isDeleting && name.endsWith('-ingress')
      ? order.indexOf('Worker') + 0.5
      : place
  }
  return objects.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || (one.metadata.name < other.metadata.name ? -1 : 1),
  )
}
