import { parseEntryName } from '../../shared/backup-entry/backup-entry.ts'
import { clusterKind, kindNames, kinds } from '../../shared/contract/kinds.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** A kind whose objects a journal contains. */
export interface RecordedKind {
  readonly kind: string
  readonly resource: GroupVersionResource
}

/** Clusters and backups come first: their objects decide which others belong to a shoot. */
export const recordedKinds: readonly RecordedKind[] = [
  { kind: 'Cluster', resource: clusterKind.resource },
  ...kindNames.map(kind => ({ kind, resource: kinds[kind].resource })),
  { kind: 'ManagedResource', resource: managedResourceKind.resource },
  { kind: 'MachineDeployment', resource: machineKinds.MachineDeployment.resource },
  { kind: 'Machine', resource: machineKinds.Machine.resource },
]

/**
 * Returns a function that selects the objects of these shoots, given as namespaces; undefined selects all. A
 * BackupEntry belongs to the shoot in its name, a BackupBucket to the entries in it, so `release` is called with
 * buckets that were seen before their entry.
 */
export const createSelection = (
  shoots: readonly string[] | undefined,
  release: (bucket: KubernetesObject) => void,
): ((object: KubernetesObject) => boolean) => {
  if (shoots === undefined) return () => true
  const chosen = new Set(shoots)
  const buckets = new Set<string>()
  const held = new Map<string, KubernetesObject>()
  return object => {
    const { kind, metadata, spec } = object
    if (kind === 'Cluster') return chosen.has(metadata.name)
    if (kind === 'BackupBucket') {
      if (!buckets.has(metadata.name)) held.set(metadata.name, object)
      return buckets.has(metadata.name)
    }
    if (kind !== 'BackupEntry') return metadata.namespace !== undefined && chosen.has(metadata.namespace)
    if (!chosen.has(parseEntryName(metadata.name).technicalId)) return false
    const bucket = stringOf(recordOf(spec).bucketName)
    buckets.add(bucket)
    const early = held.get(bucket)
    held.delete(bucket)
    if (early !== undefined) release(early)
    return true
  }
}
