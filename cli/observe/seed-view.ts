import type { Timestamp } from '../../shared/clock/clock.ts'
import { type EventEntry, type History, objectIdOf, type StepEntry } from '../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { IsServed } from './served.ts'

/** The objects and steps of a seed at one moment: live, or from a journal. Never contains a Secret. */
export interface SeedView {
  readonly at: Timestamp
  /** Extension objects, Clusters, ManagedResources, MachineDeployments and Machines. */
  readonly objects: readonly KubernetesObject[]
  /** False if Clusters could not be read, so that a missing one says nothing. */
  readonly clustersRead: boolean
  /** Steps that ended until then, the oldest first. Undefined: they were not recorded. */
  readonly steps: readonly StepEntry[] | undefined
  /** Events of the bridge until then, the oldest first. */
  readonly events?: readonly EventEntry[]
  /** Only of a journal: its start, and the times until then that it does not record. */
  readonly recorded?: { readonly from: Timestamp; readonly gaps: History['gaps'] }
  /** The parts that could not be read, with the reason: `DNSRecords: you may not list them`. */
  readonly missing: readonly string[]
  /** The kinds, in the plural, whose objects could not be read: that one is missing says nothing. Default: none. */
  readonly unread?: readonly string[]
  /** Tells which objects Trellis serves. Default: all. */
  readonly isServed?: IsServed
}

/** Why a shoot without known trouble is not known to be well: `could not be read: DNSRecords, Workers`. */
export const unreadText = ({ unread = [] }: Pick<SeedView, 'unread'>): string | undefined =>
  unread.length === 0 ? undefined : `could not be read: ${unread.join(', ')}`

/** `DNSRecord shoot--garden--rose/rose-external`, `BackupBucket backups`: as in a journal. */
export const viewIdOf = ({
  kind,
  metadata: { namespace, name },
}: Pick<KubernetesObject, 'kind' | 'metadata'>): string => objectIdOf({ kind, namespace, name })

/** `Infrastructure/shoot--garden--rose/rose`, `BackupBucket/backups`: as `trellis retry` accepts it. */
export const pathOf = ({
  kind,
  metadata: { namespace, name },
}: Pick<KubernetesObject, 'kind' | 'metadata'>): string =>
  [kind, namespace, name].filter(part => part !== undefined).join('/')

/** Returns the objects of a kind. Other groups may have kinds of the same name, but they are never read. */
export const ofKind = ({ objects }: Pick<SeedView, 'objects'>, kind: string): readonly KubernetesObject[] =>
  objects.filter(object => object.kind === kind)
