import { parseEntryName } from '../../shared/backup-entry/backup-entry.ts'
import { clusterKind, kindNames, kinds } from '../../shared/contract/kinds.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import { type Identified, partsOfObjectId } from '../../shared/journal/journal.ts'
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

/** Selects what belongs to a recording. */
export interface RecordSelection {
  /** Returns true for a recorded object. */
  readonly object: (object: KubernetesObject) => boolean
  /** Returns true for the id of a recorded object. A BackupBucket belongs only after its entry was seen. */
  readonly id: (id: string) => boolean
}

/**
 * Returns the selection of these shoots, given as namespaces; undefined selects all. A BackupEntry belongs to the shoot
 * in its name, a BackupBucket to the entries in it, so `release` is called with buckets that were seen before their
 * entry.
 */
export const createSelection = (
  shoots: readonly string[] | undefined,
  release: (bucket: KubernetesObject) => void,
): RecordSelection => {
  if (shoots === undefined) return { object: () => true, id: () => true }
  const chosen = new Set(shoots)
  const buckets = new Set<string>()
  const held = new Map<string, KubernetesObject>()
  const belongs = ({ kind, namespace, name }: Identified): boolean => {
    if (kind === 'Cluster') return chosen.has(name)
    if (kind === 'BackupBucket') return buckets.has(name)
    if (kind === 'BackupEntry') return chosen.has(parseEntryName(name).technicalId)
    return namespace !== undefined && chosen.has(namespace)
  }
  return {
    id: id => {
      const parts = partsOfObjectId(id)
      return parts !== undefined && belongs(parts)
    },
    object: object => {
      const { kind, metadata, spec } = object
      const isOwn = belongs({ kind, ...metadata })
      if (kind === 'BackupBucket' && !isOwn) held.set(metadata.name, object)
      if (kind !== 'BackupEntry' || !isOwn) return isOwn
      const bucket = stringOf(recordOf(spec).bucketName)
      buckets.add(bucket)
      const early = held.get(bucket)
      held.delete(bucket)
      if (early !== undefined) release(early)
      return true
    },
  }
}
